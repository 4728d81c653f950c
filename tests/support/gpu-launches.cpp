// Stands for libferry in a program whose kernels were lowered for a GPU and
// made the host's by gpu-on-cpu.py: launches run them with gpu-on-cpu.h.
// Buffers stay where they are. FERRY_DEVICE=apart takes the versions for
// arguments that lie apart, where there are any.

#include "gpu-on-cpu.h"
#include <cstring>
#include <dlfcn.h>
#include <ferry/markers.h>
#include <ferry/runtime.h>
#include <string>

extern "C" {
alignas(64) char ferry_dynamic_shared[1 << 18];

// Everything stays where it is.
uint64_t __ferry_regions_away = 0;
void __ferry_region_begin(void *, uint64_t, const void *, uint32_t) {}
void __ferry_region_end(void *) {}
void __ferry_region_escapes(void *) {}
void __ferry_regions_escape(const void *) {}
void __ferry_region_lent(void *) {}
void __ferry_region_returned(void *) {}
void __ferry_host_reads(void *, uint64_t) {}
void __ferry_host_writes(void *, uint64_t) {}
void __ferry_host_overwrites(void *, uint64_t) {}
void __ferry_host_reads_together(void *, uint64_t) {}

int __ferry_run(const ferry_launch_site *Site, const ferry_launch_shape *Shape,
                const ferry_source_place *, const uint64_t *Values,
                const uint64_t *Bytes) {
  const ferry_kernel &K = *Site->kernel;
  bool Apart = K.apart_symbol && getenv("FERRY_DEVICE") &&
               !strcmp(getenv("FERRY_DEVICE"), "apart");
  std::string Name = K.symbol;
  // gpu-on-cpu.py leaves ferry_ and the digits out.
  Name = Apart ? Name + "_apart" : Name.substr(6, Name.size() - 6 - 17);
  using Kernel = void(void *, ...);
  auto *F = reinterpret_cast<Kernel *>(dlsym(RTLD_DEFAULT, Name.c_str()));
  if (!F)
    gpu::fail(("no kernel " + Name).c_str(), 0);

  gpu::Shape S;
  uint64_t A[40] = {};
  uint32_t N = 0, Block[3];
  ferry_over_block(Shape->extent, Block);
  for (; N < Site->num_slots; ++N)
    A[N] = Site->slots[N].flags && !Bytes[N] ? 0 : Values[N];
  bool Over = K.shape == FERRY_OVER;
  for (unsigned D = 0; D < 3; ++D) {
    S.Block[D] = Over ? Block[D] : Shape->block[D];
    S.Grid[D] =
        Over ? (Shape->extent[D] + Block[D] - 1) / Block[D] : Shape->extent[D];
    A[N + D] = Shape->extent[D];
    A[N + 3 + D] = S.Block[D];
  }
  A[N + 6] = Shape->shared_bytes;
  gpu::run(S, [&] {
    F(nullptr, A[0], A[1], A[2], A[3], A[4], A[5], A[6], A[7], A[8], A[9],
      A[10], A[11], A[12], A[13], A[14], A[15], A[16], A[17], A[18], A[19],
      A[20], A[21], A[22], A[23], A[24], A[25], A[26], A[27], A[28], A[29],
      A[30], A[31], A[32], A[33], A[34], A[35], A[36], A[37], A[38], A[39]);
  });
  return FERRY_STATUS_OK;
}

void __ferry_register_module(ferry_module *) {}
void __ferry_unregister_module(ferry_module *) {}
const char *ferry_last_error() { return ""; }
int ferry_fail(int, const char *Message, uint64_t Length) {
  gpu::fail(std::string(Message, Length).c_str(), 0);
}
int ferry_device_count() { return 1; }
// libferry has it, for programs that are linked without.
char LinkHint __asm__("a program that uses Ferry is compiled and linked with "
                      "ferry-c++ or CMake's Ferry::ferry");
}
