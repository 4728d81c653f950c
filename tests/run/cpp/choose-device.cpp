// FERRY_DEVICE, set_device and .device(i) choose; a device that is not there is
// an error that lists what there is, never another device.
// RUN: %ferrycxx -O1 %s -o %t
// RUN: env FERRY_DEVICE=cpu %t ok 0 cpu
// RUN: env -u FERRY_DEVICE %t ok 0 cpu
// RUN: env FERRY_DEVICE= %t ok 0 cpu
// RUN: env FERRY_DEVICE=virtual %t ok 1 virtual:0
// RUN: env FERRY_DEVICE=0 %t ok 0 cpu
// RUN: env FERRY_DEVICE=3 %t ok 3 virtual:2
// RUN: env FERRY_DEVICE=gpu %t bad | FileCheck %s --check-prefix=GPU
// GPU: kernel 'add' launched at {{.*}}choose-device.cpp:[[#]]:[[#]]: FERRY_DEVICE=gpu{{.*}}0 (cpu){{.*}}virtual:0
// RUN: env FERRY_DEVICE=cuda %t bad | FileCheck %s --check-prefix=NAME
// NAME: FERRY_DEVICE=cuda{{.*}}cpu{{.*}}gpu{{.*}}virtual
// RUN: env FERRY_DEVICE=99 %t bad | FileCheck %s --check-prefix=INDEX
// INDEX: FERRY_DEVICE=99{{.*}}0 (cpu){{.*}}virtual:0
// RUN: env FERRY_DEVICE=-1 %t bad | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: FERRY_DEVICE=-1
// RUN: env FERRY_DEVICE=1x %t bad | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: FERRY_DEVICE=1x
#include "Inputs/check.h"
#include <string>
#include <thread>

void add(std::span<int> V) { V[ferry::global_id()] += 1; }

int main(int Argc, char **Argv) {
  std::vector<int> V(3, 0);
  if (Argv[1] == std::string("bad")) {
    ferry::status S = ferry::try_launch<add>(ferry::over(3), V);
    CHECK(S.code() == ferry::errc::no_device);
    CHECK(V[0] == 0);
    std::puts(S.message().c_str());
    // .device(i) says more than the environment.
    ferry::launch<add>(ferry::over(3).device(0), V);
    CHECK(V[0] == 1);
    return 0;
  }
  int Expected = std::atoi(Argv[2]);
  CHECK(Argc == 4 && ferry::current_device() == Expected);
  CHECK(ferry::device_name(Expected) == Argv[3]);
  ferry::launch<add>(ferry::over(3), V);
  CHECK(V[2] == 1);
  // cpu and libomptarget's four.
  CHECK(ferry::devices() >= 5);
  for (int D = 0; D < 5; ++D) {
    CHECK(ferry::device_name(D) == (D ? "virtual:" + std::to_string(D - 1) : "cpu"));
    ferry::launch<add>(ferry::over(3).device(D), V);
    ferry::launch<add>(ferry::blocks(1).threads(3).device(D), V);
    CHECK(V[2] == 3 + 2 * D);
    ferry::set_device(D);
    CHECK(ferry::current_device() == D);
    ferry::launch<add>(ferry::over(3), V);
    V[2] -= 1;
  }
  // The choice is the host thread's own.
  ferry::set_device(2);
  std::thread([&] { CHECK(ferry::current_device() == Expected); }).join();
  CHECK(ferry::current_device() == 2);

  int Past = ferry::devices();
  for (int Bad : {Past, 1000, -1}) {
    ferry::status S = ferry::try_launch<add>(ferry::over(3).device(Bad), V);
    CHECK(S.code() == ferry::errc::no_device && S.message().find(std::to_string(Bad)) != std::string::npos);
    try {
      ferry::set_device(Bad);
      CHECK(false);
    } catch (const ferry::error &E) {
      CHECK(E.code() == ferry::errc::no_device && std::strstr(E.what(), std::to_string(Bad).c_str()));
    }
    try {
      (void)ferry::device_name(Bad);
      CHECK(false);
    } catch (const ferry::error &E) {
      CHECK(E.code() == ferry::errc::no_device);
    }
    CHECK(ferry::current_device() == 2);
  }
}
