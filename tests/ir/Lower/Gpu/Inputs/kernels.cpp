// Kernels that write down where each thread stands, as a front end hands them
// to the plugin. Thread number `n` panics.

#include <assert.h>
#include <ferry/markers.h>
#include <string.h>

extern "C" int __ferry_launch(...);

using u64 = uint64_t;

struct Block {
  u64 *Rows; // 20 numbers a thread
  u64 N;
};

static Block unpack(const void *Raw) {
  Block B;
  memcpy(&B, Raw, sizeof(B));
  return B;
}

static u64 *rowOf(u64 *Rows) { return Rows + __ferry_global_id() * 20; }

static void writeRow(u64 *Rows) {
  u64 *Row = rowOf(Rows);
  ++Row[0];
  for (uint32_t D = 0; D < 3; ++D) {
    Row[1 + D] = __ferry_thread_idx(D);
    Row[4 + D] = __ferry_block_idx(D);
    Row[7 + D] = __ferry_block_dim(D);
    Row[10 + D] = __ferry_grid_dim(D);
    Row[13 + D] = __ferry_global_idx(D);
    Row[16 + D] = __ferry_global_dim(D);
  }
}

static u64 descend(u64 Depth, u64 *Rows) {
  if (Depth == 0) {
    writeRow(Rows);
    return 1;
  }
  assert(Depth != 77);
  return descend(Depth - 1, Rows) +
         (Depth > 1000 ? descend(Depth / 2, Rows) : 0);
}

static u64 odd(u64 X, u64 *Rows) {
  assert(X != 13);
  writeRow(Rows);
  return X;
}
static u64 even(u64 X, u64 *Rows) {
  writeRow(Rows);
  return X + 1;
}
static u64 (*const Choices[])(u64, u64 *) = {odd, even};

static void flat(const void *Raw) {
  Block B = unpack(Raw);
  writeRow(B.Rows);
  assert(__ferry_global_id() != B.N);
}

static void recursive(const void *Raw) {
  Block B = unpack(Raw);
  u64 *Row = rowOf(B.Rows);
  Row[19] = 1;
  Row[19] += descend(__ferry_global_id() == B.N ? 80 : 2, B.Rows);
}

static void indirect(const void *Raw) {
  Block B = unpack(Raw);
  u64 *Row = rowOf(B.Rows);
  u64 Id = __ferry_global_id();
  Row[19] = 1;
  Row[19] += Choices[(Id ^ B.N) & 1](Id == B.N ? 13 : 1, B.Rows);
}

#define LAUNCH(SHIM, NAME, SHAPE)                                              \
  __ferry_launch(                                                              \
      u64(1), SHIM, NAME, u64(sizeof(NAME) - 1), "k.cpp", u64(5), u64(1),      \
      u64(1), u64(SHAPE), N, N, N, N, N, N, u64(0),                            \
      u64(-1), u64(2),                                                         \
      u64(FERRY_FIELD_BUFFER | FERRY_FIELD_READ | FERRY_FIELD_WRITE), Rows,    \
      u64(160), u64(FERRY_FIELD_BYTES), &N, u64(8))

void host(u64 *Rows, u64 N) {
  LAUNCH(flat, "flat", FERRY_OVER);
  LAUNCH(flat, "flat_blocks", FERRY_BLOCKS);
  LAUNCH(recursive, "recursive", FERRY_OVER);
  LAUNCH(indirect, "indirect", FERRY_BLOCKS);
}
