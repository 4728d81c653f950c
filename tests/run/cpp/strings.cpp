// Strings, characters and std::string_view, with the compiler's help and without.
// RUN: %run-everywhere --output %t %s
// RUN: %run-everywhere --output %t.calls --ways='-O0 -fno-builtin,-O2 -fno-builtin' %s
#include "Inputs/check.h"
#include <cctype>
#include <cstring>
#include <string_view>

struct Line {
  char Text[32];
};

int measure(const Line &L, char Wanted, char *Copy) {
  std::string_view View(L.Text);
  auto At = View.find(Wanted);
  int Result = At == View.npos ? -1 : static_cast<int>(At);
  const char *Last = std::strrchr(L.Text, Wanted);
  Result = Result * 32 + (Last ? static_cast<int>(Last - L.Text) : 31);
  Result = Result * 2 + (std::strcmp(L.Text, "kernel") > 0);
  Result = Result * 2 + (std::strncmp(L.Text, "ferry", 3) == 0);
  std::strcat(std::strcpy(Copy, "> "), L.Text);
  for (char *C = Copy; *C; ++C)
    *C = std::isspace(*C) ? '_' : static_cast<char>(std::toupper(*C));
  return Result;
}

void measureAll(std::span<const Line> Lines, char Wanted, std::span<Line> Copies, std::span<int> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = measure(Lines[I], Wanted, Copies[I].Text);
}

int main() {
  std::vector<Line> Lines = {{"ferry me over"}, {""}, {"kernel"}, {"ferocious"}, {"zero\tand\xe9"}};
  std::vector<Line> Copies(Lines.size()), Expected(Lines.size());
  std::vector<int> Out(Lines.size());
  ferry::launch<measureAll>(ferry::over(Lines.size()), Lines, 'e', Copies, Out);
  for (std::size_t I = 0; I < Lines.size(); ++I) {
    CHECK(Out[I] == measure(Lines[I], 'e', Expected[I].Text));
    CHECK(std::strcmp(Copies[I].Text, Expected[I].Text) == 0);
  }
}
