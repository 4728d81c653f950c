// A program that was compiled without the plugin says so at its first launch, with
// the launch's place and how to build it; one that was linked without libferry
// has a hint among the linker's messages.
// RUN: %clangxx -std=c++20 -O2 -I%include -I%runtime-include -c %s -o %t.o
// RUN: %clangxx %t.o %libferry -ldl -lpthread -o %t
// RUN: env FERRY_DEVICE=cpu %t | FileCheck %s
// RUN: env FERRY_DEVICE=virtual %t | FileCheck %s
// RUN: not %clangxx %t.o -o %t.unlinked 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: ferry-c++
#include "Inputs/check.h"
#include <string>

void add(std::span<int> V) { V[ferry::global_id()] += 1; }

int main() {
  std::vector<int> V(3, 5);
  // CHECK: kernel 'add' launched at {{.*}}without-plugin.cpp:[[#@LINE+1]]:{{[0-9]+}}: built without the Ferry plugin: {{.*}}ferry-c++
  ferry::status S = ferry::try_launch<add>(ferry::over(3), V);
  CHECK(S.code() == ferry::errc::no_plugin);
  std::puts(S.message().c_str());
  try {
    ferry::launch<add>(ferry::over(3), V);
    CHECK(false);
  } catch (const ferry::error &E) {
    CHECK(E.code() == ferry::errc::no_plugin && E.what() != S.message());
  }
  CHECK(V[0] == 5);
  // CHECK: done
  std::puts("done");
}
