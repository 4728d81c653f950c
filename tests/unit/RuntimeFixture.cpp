//===- RuntimeFixture.cpp - A module made by hand, and its launches -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"
#include "RuntimeModule.h"
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>

namespace ferry::test {

ferry_module &module() {
  register_test_module();
  return test_module;
}

const ferry_kernel &kernel(const char *Name) {
  ferry_module &M = module();
  std::string Wanted = Name;
  bool Blocks = Wanted.ends_with(" in blocks");
  if (Blocks)
    Wanted.resize(Wanted.find(' '));
  for (uint32_t I = 0; I < M.num_kernels; ++I)
    if (M.kernels[I]->name == Wanted &&
        (M.kernels[I]->shape == FERRY_BLOCKS) == Blocks)
      return *M.kernels[I];
  fprintf(stderr, "no kernel %s\n", Name);
  abort();
}

int launch(const ferry_kernel &K, const Shape &S,
           const std::vector<Argument> &Arguments) {
  std::vector<ferry_slot> Slots;
  std::vector<uint64_t> Values, Bytes;
  for (const Argument &A : Arguments) {
    Slots.push_back({A.Flags, 0, A.Name});
    Values.push_back(A.Value);
    Bytes.push_back(A.Bytes);
  }
  ferry_launch_site Site{&K, uint32_t(Slots.size()), 0, Slots.data()};
  ferry_launch_shape LS{{1, 1, 1}, {1, 1, 1}, S.Shared, S.Device};
  std::copy(S.Extent.begin(), S.Extent.end(), LS.extent);
  std::copy(S.Block.begin(), S.Block.end(), LS.block);
  ferry_source_place Place{"test.cpp", 8, 7, 3};
  return __ferry_run(&Site, &LS, &Place, Values.data(), Bytes.data());
}

int virtualDevice(int Index) {
  module();
  std::string Wanted = "virtual:" + std::to_string(Index);
  for (int I = 0; I < ferry_device_count(); ++I)
    if (ferry_device_name(I) == Wanted)
      return I;
  return -1;
}

ferry_stats stats() {
  ferry_stats S;
  ferry_get_stats(&S);
  return S;
}

ferry_stats statsSince(const ferry_stats &B) {
  ferry_stats S = stats();
  return {S.launches - B.launches, S.copies_to_device - B.copies_to_device,
          S.bytes_to_device - B.bytes_to_device,
          S.copies_to_host - B.copies_to_host,
          S.bytes_to_host - B.bytes_to_host};
}

ProbeResult probe(const std::string &Environment,
                  const std::string &Arguments) {
  std::string Command = "env -u FERRY_DEVICE -u FERRY_NUM_THREADS " +
                        Environment + " " FERRY_TEST_PROBE " " + Arguments +
                        " 2>&1";
  FILE *Pipe = popen(Command.c_str(), "r");
  ProbeResult R;
  for (int C; (C = fgetc(Pipe)) != EOF;)
    R.Output += char(C);
  int Status = pclose(Pipe);
  R.Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  return R;
}

} // namespace ferry::test
