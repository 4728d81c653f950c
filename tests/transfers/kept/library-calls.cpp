// The C and C++ libraries and the kernel read and write what is on the device:
// memcpy and its kin, write(2), read(2) and their kin, stdio, streams, algorithms.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

constexpr std::size_t Bytes = N * sizeof(int);

static void memory() {
  std::vector<int> V(N), W(N);
  ferry::launch<fill>(Whole, V, 1);
  std::memcpy(W.data(), V.data(), Bytes);
  CHECK(hostTotal(W) == filled(1));
  ferry::launch<fill>(Whole, V, 2);
  CHECK(std::memcmp(V.data(), W.data(), Bytes) > 0);
  // Into a buffer whose newest version is on the device, in part.
  std::memcpy(V.data(), W.data(), Bytes / 2);
  CHECK(deviceTotal(V) == filled(2) - N / 2);
  ferry::launch<fill>(Whole, V, 3);
  std::memmove(V.data() + 1, V.data(), Bytes - sizeof(int));
  CHECK(V[0] == 3 && V[1] == 3 && V[N - 1] == N + 1);
  CHECK(deviceTotal(V) == filled(3, N - 1) + 3);
  ferry::launch<fill>(Whole, V, 3);
  std::memset(V.data() + 10, 0, 40);
  CHECK(deviceTotal(V) == filled(3) - filled(13, 10));
  CHECK(hostTotal(V) == filled(3) - filled(13, 10));
}

static void text() {
  std::string Text(N, 'x');
  auto Letters = [](std::span<char> S) { S[ferry::global_id()] = static_cast<char>('a' + ferry::global_id() % 26); };
  ferry::launch<+Letters>(ferry::over(N - 1), std::span(Text.data(), Text.size()));
  CHECK(std::strlen(Text.c_str()) == N && std::strchr(Text.c_str(), 'x') == Text.c_str() + 23);
  CHECK(Text.find("xyzabc") == 23 && Text.substr(26, 3) == "abc");
  char Copy[30];
  std::snprintf(Copy, sizeof Copy, "%.3s|%c", Text.c_str() + 1, Text[N - 1]);
  CHECK(std::strcmp(Copy, "bcd|x") == 0);
  std::strcpy(&Text[26], "ABC");
  auto Capitals = [](std::span<const char> S, int &Count) {
    for (char C : S)
      Count += C >= 'A' && C <= 'Z';
  };
  int Count = 0;
  ferry::launch<+Capitals>(ferry::over(1), std::span(Text.data(), Text.size()), Count);
  CHECK(Count == 3);
}

static void files() {
  std::vector<int> V(N), W(N);
  int Ends[2];
  CHECK(pipe(Ends) == 0);
  ferry::launch<fill>(Whole, V, 1);
  CHECK(write(Ends[1], V.data(), Bytes) == Bytes);
  ferry::launch<fill>(Whole, W, 2);
  CHECK(read(Ends[0], W.data(), Bytes / 2) == Bytes / 2);
  CHECK(hostTotal(W) == filled(2) - N / 2);
  CHECK(deviceTotal(W) == filled(2) - N / 2);
  CHECK(read(Ends[0], W.data() + N / 2, Bytes / 2) == Bytes / 2);
  CHECK(deviceTotal(W) == filled(1));
  // Several pieces at once: addresses stand in a structure.
  ferry::launch<fill>(Whole, V, 3);
  iovec Pieces[] = {{V.data(), 400}, {V.data() + 500, 400}};
  CHECK(writev(Ends[1], Pieces, 2) == 800);
  iovec Into[] = {{W.data(), 400}, {W.data() + 100, 400}};
  CHECK(readv(Ends[0], Into, 2) == 800);
  CHECK(W[0] == 3 && W[99] == 102 && W[100] == 503 && W[199] == 602);
  CHECK(deviceTotal(std::span(W).first(200)) == filled(3, 100) + filled(503, 100));
  close(Ends[0]), close(Ends[1]);

  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, Ends) == 0);
  ferry::launch<fill>(Whole, V, 4);
  CHECK(send(Ends[1], V.data(), Bytes, 0) == Bytes);
  CHECK(recv(Ends[0], W.data(), Bytes, MSG_WAITALL) == Bytes);
  CHECK(deviceTotal(W) == filled(4));
  close(Ends[0]), close(Ends[1]);
}

static void stdio() {
  std::FILE *F = std::tmpfile();
  CHECK(F);
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  CHECK(std::fwrite(V.data(), sizeof(int), N, F) == N);
  ferry::launch<fill>(Whole, V, 2);
  std::rewind(F);
  CHECK(std::fread(V.data(), sizeof(int), N / 4, F) == N / 4);
  CHECK(deviceTotal(V) == filled(2) - N / 4);
  std::fclose(F);
  CHECK(std::sscanf("77", "%d", &V[5]) == 1);
  CHECK(deviceTotal(V) == filled(2) - N / 4 + 77 - 6);
  // stdio's own buffer: what it holds back is written at fclose, and by then
  // must be the data of the time of fwrite.
  char Buffer[8 * Bytes];
  F = std::tmpfile();
  std::setvbuf(F, Buffer, _IOFBF, sizeof Buffer);
  ferry::launch<fill>(Whole, V, 3);
  std::fwrite(V.data(), sizeof(int), N, F);
  ferry::launch<fill>(Whole, V, 4);
  std::rewind(F);
  std::vector<int> W(N);
  CHECK(std::fread(W.data(), sizeof(int), N, F) == N);
  CHECK(hostTotal(W) == filled(3) && hostTotal(V) == filled(4));
  std::fclose(F);
}

static void streams() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  std::stringstream S;
  S.write(reinterpret_cast<const char *>(V.data()), Bytes);
  ferry::launch<fill>(Whole, V, 2);
  S.read(reinterpret_cast<char *>(V.data()), Bytes / 2);
  CHECK(deviceTotal(V) == filled(2) - N / 2);
  std::istringstream("12 34") >> V[0] >> V[1];
  CHECK(deviceTotal(V) == filled(2) - N / 2 + 46 - 3);
  std::ostringstream Text;
  ferry::launch<fill>(Whole, V, 7);
  Text << V[0] << ' ' << V.back();
  CHECK(Text.str() == "7 1006");
}

static void algorithms() {
  std::vector<int> V(N), W(N);
  ferry::launch<fill>(Whole, V, 1);
  CHECK(std::find(V.begin(), V.end(), 500) - V.begin() == 499);
  ferry::launch<fill>(Whole, V, 2);
  CHECK(*std::max_element(V.begin(), V.end()) == N + 1);
  std::reverse(V.begin(), V.end());
  ferry::launch<copy>(Whole, V, W);
  CHECK(W[0] == N + 1 && W[N - 1] == 2);
  ferry::launch<add>(Whole, V, 1);
  std::sort(V.begin(), V.end());
  CHECK(V[0] == 3 && deviceTotal(V) == filled(3));
  ferry::launch<fill>(Whole, V, 4);
  std::copy_n(V.begin(), N / 2, W.begin());
  CHECK(W[0] == 4 && W[N / 2] == N / 2 + 1);
  std::ranges::fill(std::span(V).first(N / 2), 0);
  CHECK(deviceTotal(V) == filled(N / 2 + 4, N / 2));
  ferry::launch<fill>(Whole, V, 4);
  CHECK(V == std::vector(V) && std::ranges::lower_bound(V, 104) - V.begin() == 100);
}

int main() {
  memory();
  text();
  files();
  stdio();
  streams();
  algorithms();
}
