// A kernel, and with SECOND another one that has all that could cost the first.

#include <cassert>
#include <ferry/ferry.h>
#include <span>
#include <vector>

unsigned counter;

void first(std::span<const float> in, std::span<float> out, unsigned n) {
  auto &tile = ferry::shared<float[256]>();
  unsigned t = ferry::thread_idx().x;
  unsigned i = ferry::block_idx().x * ferry::block_dim().x + t;
  tile[t] = i < n ? in[i] : 0.f;
  ferry::sync_threads();
  float sum = 0;
  for (unsigned k = 0; k < 16; ++k)
    sum += tile[(t + k * 3) % 256];
  if (i < n)
    out[i] = sum;
}

#ifdef SECOND
static unsigned deep(unsigned n, unsigned *frame) {
  unsigned more[64];
  for (unsigned i = 0; i < 64; ++i)
    more[i] = frame[i % 8] + n;
  assert(n < 1000);
  return n < 2 ? more[n * 7 % 64] : deep(n - 1, more) + deep(n - 2, more);
}

void second(std::span<unsigned> out, unsigned n) {
  auto &large = ferry::shared<unsigned[4096]>();
  unsigned frame[8] = {n, 1, 2, 3, 4, 5, 6, 7};
  large[ferry::thread_idx().x] = deep(n, frame);
  ferry::sync_threads();
  ferry::atomic_add(counter, large[0]);
  out[0] = large[n % 4096];
}
#endif

void host(std::vector<float> &x, std::vector<float> &y, std::vector<unsigned> &u) {
  ferry::launch<first>(ferry::blocks(9).threads(256), x, y, 2000u);
#ifdef SECOND
  ferry::launch<second>(ferry::blocks(9).threads(64), u, 9u);
#endif
}
