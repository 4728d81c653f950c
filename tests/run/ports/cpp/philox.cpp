// Philox 4x32-10, the counter-based generator: known answers of its authors, the
// same numbers as on the host, and a mean of uniform floats.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <array>

using Four = std::array<std::uint32_t, 4>;

static Four philox(Four C, std::uint32_t K0, std::uint32_t K1) {
  for (int Round = 0; Round < 10; ++Round) {
    std::uint64_t A = std::uint64_t(0xD2511F53) * C[0], B = std::uint64_t(0xCD9E8D57) * C[2];
    C = {std::uint32_t(B >> 32) ^ C[1] ^ K0, std::uint32_t(B), std::uint32_t(A >> 32) ^ C[3] ^ K1,
         std::uint32_t(A)};
    K0 += 0x9E3779B9;
    K1 += 0xBB67AE85;
  }
  return C;
}

static void known(Four Counter, std::uint32_t K0, std::uint32_t K1, Four &Out) {
  Out = philox(Counter, K0, K1);
}

static void generate(std::span<Four> Out, std::uint64_t Seed) {
  std::size_t I = ferry::global_id();
  Out[I] = philox({std::uint32_t(I), std::uint32_t(I >> 32), 0, 0}, std::uint32_t(Seed),
                  std::uint32_t(Seed >> 32));
}

static void uniform(std::span<float> Out, std::uint32_t Seed) {
  std::size_t I = ferry::global_id();
  Four R = philox({std::uint32_t(I), 0, 0, 0}, Seed, 0);
  for (std::size_t K = 0; K < 4 && 4 * I + K < Out.size(); ++K)
    Out[4 * I + K] = float(R[K] >> 8) * 0x1p-24f;
}

int main() {
  Four Out;
  ferry::launch<known>(ferry::over(1), Four{}, 0u, 0u, Out);
  CHECK(Out == Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::uint32_t Ones = 0xffffffff;
  ferry::launch<known>(ferry::over(1), Four{Ones, Ones, Ones, Ones}, Ones, Ones, Out);
  CHECK(Out == Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  ferry::launch<known>(ferry::over(1), Four{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       0xa4093822u, 0x299f31d0u, Out);
  CHECK(Out == Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

  std::vector<Four> Many(1000);
  const std::uint64_t Seed = 0x123456789abcdef;
  ferry::launch<generate>(ferry::over(Many.size()), Many, Seed);
  for (std::uint32_t I = 0; I < Many.size(); ++I)
    CHECK(Many[I] == philox({I, 0, 0, 0}, std::uint32_t(Seed), std::uint32_t(Seed >> 32)));

  std::vector<float> Floats(40001);
  ferry::launch<uniform>(ferry::over((Floats.size() + 3) / 4), Floats, 7u);
  double Sum = 0;
  for (float F : Floats) {
    CHECK(F >= 0 && F < 1);
    Sum += F;
  }
  CHECK(near(Sum / Floats.size(), 0.5, 0.01));
  std::puts("drawn"); // CHECK: drawn
}
