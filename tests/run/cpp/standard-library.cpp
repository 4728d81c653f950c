// What people use inside functions works inside kernels: algorithms on arrays,
// memcpy, bit_cast, optional, variant, tuple, string_view, lambdas that call
// themselves, static constexpr tables, arrays of several dimensions by reference.
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: variant: kernel 'wrongVariant' panicked at {{.*}}, block 0, thread 1
#include "Inputs/check.h"
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>

void algorithms(std::span<const int> In, std::span<int> Out) {
  std::size_t I = ferry::global_id();
  std::array<int, 32> A;
  std::copy_n(In.begin() + I * 32, 32, A.begin());
  std::sort(A.begin(), A.end());
  auto Middle = std::lower_bound(A.begin(), A.end(), 50) - A.begin();
  std::reverse(A.begin(), A.begin() + Middle);
  int Sum = std::accumulate(A.begin(), A.end(), 0), Most = *std::max_element(A.begin(), A.end());
  std::rotate(A.begin(), A.begin() + 5, A.end());
  std::copy(A.begin(), A.end(), Out.begin() + I * 34);
  Out[I * 34 + 32] = Sum + Most;
  Out[I * 34 + 33] = static_cast<int>(std::count_if(A.begin(), A.end(), [](int V) { return V % 3 == 0; }));
}
void memory(std::span<const unsigned char> In, std::span<std::uint64_t> Out) {
  std::size_t I = ferry::global_id();
  unsigned char Buffer[24];
  std::memset(Buffer, 0xee, sizeof Buffer);
  std::memcpy(Buffer + 3, &In[I], 16);
  std::memmove(Buffer, Buffer + 1, 20);
  std::uint64_t Word;
  std::memcpy(&Word, Buffer + 2, 8);
  Out[I] = Word ^ std::bit_cast<std::uint64_t>(static_cast<double>(I)) ^
           static_cast<std::uint64_t>(std::memcmp(Buffer, In.data(), 4) < 0);
}
std::optional<int> half(int V) {
  if (V % 2)
    return std::nullopt;
  return V / 2;
}
std::variant<int, double> either(int V) {
  if (V % 2)
    return V * 0.5;
  return V;
}
void values(std::span<double> Out) {
  int I = static_cast<int>(ferry::global_id());
  auto [A, B, C] = std::tuple(I, half(I).value_or(-1), I * 2.5f);
  double V = std::visit([](auto X) { return X + 1.0; }, either(I));
  Out[I] = A + B + C + V;
}
void wrongVariant(std::span<double> Out) {
  int I = static_cast<int>(ferry::global_id());
  Out[I] = std::get<int>(either(I));
}
constexpr std::string_view Names[] = {"zero", "one", "two", "three"};
void strings(std::span<const char> In, std::span<int> Out) {
  std::size_t I = ferry::global_id();
  std::string_view All(In.data(), In.size());
  Out[I] = static_cast<int>(All.find(Names[I % 4])) + (All.starts_with("one") ? 100 : 0) +
           static_cast<int>(Names[I % 4].size());
}
void recursiveLambda(std::span<unsigned> Out) {
  static constexpr unsigned Moduli[] = {7, 11, 13};
  auto Power = [](auto &Self, unsigned B, unsigned E, unsigned M) -> unsigned {
    return E == 0 ? 1 : E % 2 ? B * Self(Self, B, E - 1, M) % M : Self(Self, B * B % M, E / 2, M);
  };
  unsigned I = static_cast<unsigned>(ferry::global_id());
  Out[I] = Power(Power, I + 2, 10, Moduli[I % 3]);
}
void arrays(const int (&M)[3][4], std::array<int, 4> &Row, std::span<const std::array<int, 2>> Pairs) {
  int I = static_cast<int>(ferry::global_id());
  Row[I] = M[0][I] + M[1][I] * M[2][I] + Pairs[I % 2][I / 2];
}
void qualified(const int N, const std::span<int> Out, const bool Add) { Out[ferry::global_id()] += Add ? N : 0; }

int main() {
  std::vector<int> In(320), Out(340);
  for (int I = 0; I < 320; ++I)
    In[I] = I * 7919 % 101;
  ferry::launch<algorithms>(ferry::over(10), In, Out);
  for (int I = 0; I < 10; ++I) {
    std::vector<int> A(In.begin() + I * 32, In.begin() + I * 32 + 32);
    std::sort(A.begin(), A.end());
    std::reverse(A.begin(), std::lower_bound(A.begin(), A.end(), 50));
    int Sum = std::accumulate(A.begin(), A.end(), 0), Most = *std::max_element(A.begin(), A.end());
    std::rotate(A.begin(), A.begin() + 5, A.end());
    CHECK(std::equal(A.begin(), A.end(), Out.begin() + I * 34));
    CHECK(Out[I * 34 + 32] == Sum + Most);
    CHECK(Out[I * 34 + 33] == std::count_if(A.begin(), A.end(), [](int V) { return V % 3 == 0; }));
  }

  std::vector<unsigned char> Bytes(100);
  std::iota(Bytes.begin(), Bytes.end(), 0);
  std::vector<std::uint64_t> Words(50);
  ferry::launch<memory>(ferry::over(50), Bytes, Words);
  for (std::uint64_t I = 0; I < 50; ++I) {
    std::uint64_t W;
    std::memcpy(&W, &Bytes[I], 8);
    unsigned char First[4] = {0xee, 0xee, Bytes[I], Bytes[I + 1]};
    CHECK(Words[I] == (W ^ std::bit_cast<std::uint64_t>(static_cast<double>(I)) ^ (std::memcmp(First, Bytes.data(), 4) < 0)));
  }

  std::vector<double> D(20);
  ferry::launch<values>(ferry::over(20), D);
  for (int I = 0; I < 20; ++I)
    CHECK(D[I] == I + (I % 2 ? -1 : I / 2) + I * 2.5 + (I % 2 ? I * 0.5 : I) + 1);
  ferry::status S = ferry::try_launch<wrongVariant>(ferry::over(2), D);
  CHECK(S.code() == ferry::errc::panic);
  std::printf("variant: %s\n", S.message().c_str());

  std::string_view Words3 = "one two three zero";
  std::vector<int> Found(4);
  ferry::launch<strings>(ferry::over(4), Words3, Found);
  CHECK(Found[0] == 14 + 104 && Found[1] == 103 && Found[2] == 107 && Found[3] == 113);

  std::vector<unsigned> P(30);
  ferry::launch<recursiveLambda>(ferry::over(30), P);
  for (unsigned I = 0; I < 30; ++I) {
    unsigned M = I % 3 == 0 ? 7 : I % 3 == 1 ? 11 : 13, V = 1;
    for (int K = 0; K < 10; ++K)
      V = V * (I + 2) % M;
    CHECK(P[I] == V);
  }

  int M[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  std::array<int, 4> Row{};
  std::vector<std::array<int, 2>> Pairs{{100, 200}, {300, 400}};
  ferry::launch<arrays>(ferry::over(4), M, Row, Pairs);
  CHECK((Row == std::array<int, 4>{146, 362, 280, 500}));
  const bool Add = true;
  ferry::launch<qualified>(ferry::over(4), 5, Row, Add);
  CHECK(Row[3] == 505);
}
