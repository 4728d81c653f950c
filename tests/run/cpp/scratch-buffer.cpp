// A buffer that is neither read nor written by the host takes room on the device
// and is never copied; on cpu it is the host's memory. Said with the marker itself,
// as a front end would.
// RUN: env FERRY_EAGER=1 %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <cstring>
#include <ferry/markers.h>

extern "C" int __ferry_launch(std::uint64_t, ...);

// Block: scratch at 0, result at 8.
static void shim(const void *Block) {
  int *Scratch, *Result;
  std::memcpy(&Scratch, Block, 8);
  std::memcpy(&Result, static_cast<const char *>(Block) + 8, 8);
  std::size_t I = ferry::global_id();
  Scratch[I] = int(I) + 1;
  Result[I] = Scratch[I] * 2;
}

int main() {
  using U = std::uint64_t;
  std::vector<int> Scratch(100, 7), Result(100, 0);
  ferry_stats A, B;
  ferry_get_stats(&A);
  int Status = __ferry_launch(
      U(FERRY_MARKER_VERSION), &shim, "scratch", U(7), "file.cpp", U(8), U(1), U(1), U(FERRY_OVER), U(100), U(1), U(1),
      U(1), U(1), U(1), U(0), ~U(0), U(2), U(FERRY_FIELD_BUFFER | FERRY_FIELD_SCRATCH | FERRY_FIELD_UNIQUE),
      Scratch.data(), U(400), U(FERRY_FIELD_BUFFER | FERRY_FIELD_WRITE | FERRY_FIELD_UNIQUE), Result.data(), U(400));
  CHECK(Status == FERRY_STATUS_OK);
  ferry_get_stats(&B);
  bool OnCpu = ferry::device_name(ferry::current_device()) == "cpu";
  CHECK(B.copies_to_device == A.copies_to_device);
  CHECK(B.bytes_to_host - A.bytes_to_host == (OnCpu ? 0u : 400u));
  for (int I = 0; I < 100; ++I) {
    CHECK(Result[I] == 2 * (I + 1));
    CHECK(Scratch[I] == (OnCpu ? I + 1 : 7));
  }
}
