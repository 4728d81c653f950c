//===- RuntimeProbe.c - A small program on libferry -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must be seen from outside a process: environment variables, exit, fork,
// aborts. It is C, and linked as C, so it also shows that libferry needs no C++
// library. RuntimeProbeTest.cpp runs it: probe COMMAND [DEVICE].
//
//===----------------------------------------------------------------------===//

#include "RuntimeModule.h"
#include "ferry/markers.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int __ferry_launch(uint64_t version, ...);
uint64_t __ferry_global_id(void);

enum { N = 100000 };
static float x[N], y[N];
static int64_t device = -1;

static const struct ferry_kernel *kernel(const char *name) {
  for (uint32_t i = 0; i < test_module.num_kernels; ++i)
    if (strcmp(test_module.kernels[i]->name, name) == 0)
      return test_module.kernels[i];
  abort();
}

static int saxpy(uint64_t bytes) {
  register_test_module();
  float a = 2;
  uint64_t values[3] = {0, (uint64_t)x, (uint64_t)y};
  memcpy(&values[0], &a, sizeof(a));
  uint64_t sizes[3] = {0, bytes, bytes};
  const struct ferry_slot slots[3] = {
      {0, 0, "factor"},
      {FERRY_FIELD_READ, 0, "inputs"},
      {FERRY_FIELD_READ | FERRY_FIELD_WRITE, 0, "results"}};
  struct ferry_launch_site site = {kernel("saxpy"), 3, 0, slots};
  struct ferry_launch_shape shape = {{N, 1, 1}, {1, 1, 1}, 0, device};
  struct ferry_source_place place = {"probe.c", 7, 40, 9};
  for (int i = 0; i < N; ++i)
    x[i] = 1, y[i] = 3;
  return __ferry_run(&site, &shape, &place, values, sizes);
}

static int good(void) {
  for (int i = 0; i < N; ++i)
    if (y[i] != 5)
      return 0;
  return 1;
}

static void report(const char *what, int status) {
  printf("%s: status %d, %s\n", what, status, good() ? "good" : "untouched");
  if (status)
    printf("%s\n", ferry_last_error());
  fflush(stdout);
}

static int loaded(const char *library) {
  char line[4096];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof(line), maps))
    found |= strstr(line, library) != NULL;
  fclose(maps);
  return found;
}

static const char *command = "";

__attribute__((constructor)) static void beforeMain(void) {
  if (getenv("PROBE_EARLY"))
    report("constructor", saxpy(sizeof(x)));
}

__attribute__((destructor)) static void afterMain(void) {
  if (strcmp(command, "exit") == 0)
    report("destructor", saxpy(sizeof(x)));
}

static void atExit(void) { report("atexit", saxpy(sizeof(x))); }

static void inChild(void) {
  report("parent", saxpy(sizeof(x)));
  pid_t child = fork();
  if (child == 0) {
    report("child", saxpy(sizeof(x)));
    exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  printf("child ended with %d\n", status);
  report("parent again", saxpy(sizeof(x)));
}

/// A shared library with a copy of libferry and of the kernels.
static void plugin(void) {
  report("before", saxpy(sizeof(x)));
  for (int round = 0; round < 3; ++round) {
    void *handle = dlopen(FERRY_TEST_PLUGIN, RTLD_NOW);
    if (!handle) {
      puts(dlerror());
      exit(3);
    }
    int (*run)(int64_t) = (int (*)(int64_t))dlsym(handle, "plugin_launch");
    printf("plugin: status %d\n", run(device));
    dlclose(handle);
    usleep(1000); // its workers fall asleep, in code that must still be there
  }
  report("after", saxpy(sizeof(x)));
}

int main(int argc, char **argv) {
  command = argc > 1 ? argv[1] : "run";
  if (argc > 2)
    device = atoi(argv[2]);
  if (strcmp(command, "run") == 0) {
    report("launch", saxpy(sizeof(x)));
    printf("libomptarget %s\n", loaded("libomptarget") ? "loaded" : "absent");
  } else if (strcmp(command, "devices") == 0) {
    register_test_module();
    int count = ferry_device_count();
    for (int i = 0; i < count; ++i)
      printf("%d %s\n", i, ferry_device_name(i));
    printf("current %d\n", ferry_current_device());
  } else if (strcmp(command, "huge") == 0) {
    report("huge", saxpy(1ull << 45));
    report("then", saxpy(sizeof(x)));
  } else if (strcmp(command, "exit") == 0) {
    atexit(atExit);
    report("main", saxpy(sizeof(x)));
  } else if (strcmp(command, "fork") == 0) {
    inChild();
  } else if (strcmp(command, "plugin") == 0) {
    plugin();
  } else if (strcmp(command, "unplugged") == 0) {
    int status =
        __ferry_launch(1, 0, "saxpy", 5ull, "app.cpp", 7ull, 3ull, 4ull, 0ull);
    printf("status %d\n%s\n", status, ferry_last_error());
  } else if (strcmp(command, "query") == 0) {
    printf("%d\n", (int)__ferry_global_id());
  } else {
    return 2;
  }
  return 0;
}
