// Computed goto, with labels in local and constant tables, and fences for signal
// handlers.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <atomic>

int interpret(const unsigned char *Code, int Value) {
  static const void *const Labels[] = {&&Stop, &&Add, &&Twice, &&Negate};
  const void *Local[] = {&&Odd, &&Even};
  goto *Labels[*Code];
Add:
  Value += 3;
  goto *Labels[*++Code];
Twice:
  Value *= 2;
  goto *Labels[*++Code];
Negate:
  Value = -Value;
  goto *Labels[*++Code];
Stop:
  std::atomic_signal_fence(std::memory_order_seq_cst);
  goto *Local[Value % 2 == 0];
Odd:
  return Value * 10;
Even:
  return Value;
}

void run(std::span<const unsigned char> Code, std::span<int> Values) {
  std::size_t I = ferry::global_id();
  Values[I] = interpret(&Code[I % 5], Values[I]);
}

int main() {
  std::vector<unsigned char> Code = {1, 2, 3, 1, 2, 2, 1, 0};
  std::vector<int> Values(100);
  for (int I = 0; I < 100; ++I)
    Values[I] = I - 50;
  ferry::launch<run>(ferry::over(100), Code, Values);
  for (int I = 0; I < 100; ++I)
    CHECK(Values[I] == interpret(&Code[I % 5], I - 50));
}
