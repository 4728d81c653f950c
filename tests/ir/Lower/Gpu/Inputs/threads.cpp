// Plays a GPU for the kernels of kernels.cpp: runs every thread of a launch,
// and compares what each wrote with what runtime.h and markers.h promise.

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <ferry/runtime.h>
#include <vector>

using u64 = uint64_t;

static uint32_t Thread[3], Block[3];
static std::jmp_buf AfterThread;

extern "C" {
uint32_t thread_x() { return Thread[0]; }
uint32_t thread_y() { return Thread[1]; }
uint32_t thread_z() { return Thread[2]; }
uint32_t block_x() { return Block[0]; }
uint32_t block_y() { return Block[1]; }
uint32_t block_z() { return Block[2]; }
[[noreturn]] void exit_thread() { std::longjmp(AfterThread, 1); }

extern ferry_panic_record panic_records[FERRY_PANIC_RECORDS];

using Kernel = void(void *, u64 *Rows, u64 N, u64, u64, u64, u64, u64, u64, u64,
                    void *, u64 PanicIndex);
Kernel flat, flat_blocks, recursive, indirect;
}

static unsigned Mistakes;

static void expect(u64 Got, u64 Wanted, const char *What) {
  if (Got != Wanted && ++Mistakes <= 10)
    std::printf("%s: %llu instead of %llu\n", What, (unsigned long long)Got,
                (unsigned long long)Wanted);
}

struct Launch {
  const char *Title;
  Kernel *K;
  bool Over;
  u64 Extent[3], Block[3];
  u64 Panics; // this thread
};

static constexpr u64 Index = 9, Generation = 7;

static void checkThread(const Launch &L, const u64 *Row, u64 Id,
                        const u64 Global[3], const u64 Grid[3],
                        const u64 Dim[3]) {
  bool Ends = Id == L.Panics;
  bool Late = L.K == recursive || L.K == indirect; // panics before writing
  expect(Row[0], Ends && Late ? 0 : 1, "times that the thread ran");
  if (L.K == recursive)
    expect(Row[19], Ends ? 1 : 2, "the result of the recursion");
  if (L.K == indirect)
    expect(Row[19], Ends ? 1 : 2 + ((Id ^ L.Panics) & 1),
           "the result of the call");
  for (unsigned D = 0; D != 3; ++D) {
    if (!(Ends && Late)) {
      expect(Row[1 + D], Global[D] % L.Block[D], "thread_idx");
      expect(Row[4 + D], Global[D] / L.Block[D], "block_idx");
      expect(Row[7 + D], L.Block[D], "block_dim");
      expect(Row[10 + D], Grid[D], "grid_dim");
      expect(Row[13 + D], Global[D], "global_idx");
      expect(Row[16 + D], Dim[D], "global_dim");
    }
    if (Ends) {
      expect(panic_records[Index].block[D], Global[D] / L.Block[D],
             "panic block");
      expect(panic_records[Index].thread[D], Global[D] % L.Block[D],
             "panic thread");
    }
  }
}

static void run(const Launch &L) {
  u64 Grid[3], Dim[3];
  for (unsigned D = 0; D != 3; ++D) {
    Grid[D] =
        L.Over ? (L.Extent[D] + L.Block[D] - 1) / L.Block[D] : L.Extent[D];
    Dim[D] = L.Over ? L.Extent[D] : L.Extent[D] * L.Block[D];
  }
  u64 Threads = Dim[0] * Dim[1] * Dim[2];
  std::vector<u64> Rows(Threads * 20);
  std::memset(panic_records, 0, sizeof(panic_records));

  for (Block[2] = 0; Block[2] != Grid[2]; ++Block[2])
    for (Block[1] = 0; Block[1] != Grid[1]; ++Block[1])
      for (Block[0] = 0; Block[0] != Grid[0]; ++Block[0])
        for (Thread[2] = 0; Thread[2] != L.Block[2]; ++Thread[2])
          for (Thread[1] = 0; Thread[1] != L.Block[1]; ++Thread[1])
            for (Thread[0] = 0; Thread[0] != L.Block[0]; ++Thread[0])
              if (!setjmp(AfterThread))
                L.K(nullptr, Rows.data(), L.Panics, L.Extent[0], L.Extent[1],
                    L.Extent[2], L.Block[0], L.Block[1], L.Block[2], 0, nullptr,
                    Generation << 32 | Index);

  Mistakes = 0;
  u64 Id = 0;
  for (u64 Z = 0; Z != Dim[2]; ++Z)
    for (u64 Y = 0; Y != Dim[1]; ++Y)
      for (u64 X = 0; X != Dim[0]; ++X, ++Id) {
        u64 Global[3] = {X, Y, Z};
        checkThread(L, &Rows[Id * 20], Id, Global, Grid, Dim);
      }
  for (u64 I = 0; I != FERRY_PANIC_RECORDS; ++I)
    expect(panic_records[I].state, I == Index && L.Panics < Threads ? Generation : 0,
           "state of a panic record");
  std::printf("%s: %s\n", L.Title, Mistakes ? "WRONG" : "ok");
}

int main() {
  run({"over 1000", flat, true, {1000, 1, 1}, {256, 1, 1}, 999});
  run({"over 33x17", flat, true, {33, 17, 1}, {32, 8, 1}, 5});
  run({"over 33x7x5", flat, true, {33, 7, 5}, {32, 4, 2}, ~u64(0)});
  run({"blocks 3x2x2 of 8x4x2", flat_blocks, false, {3, 2, 2}, {8, 4, 2}, 77});
  run({"recursive over 33x7x5", recursive, true, {33, 7, 5}, {32, 4, 2}, 100});
  run({"recursive over 1000", recursive, true, {1000, 1, 1}, {256, 1, 1}, 999});
  run({"through pointers", indirect, false, {3, 2, 2}, {8, 4, 2}, 78});
  run({"through pointers, the other way",
       indirect,
       false,
       {3, 2, 2},
       {8, 4, 2},
       79});
}
