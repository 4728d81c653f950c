// Structs that go into kernels and functions by value, come back from them, and
// hold arrays: all in registers.

#include <array>
#include <ferry/ferry.h>
#include <span>
#include <vector>

struct Vec {
  float x, y, z;
};
struct Ray {
  Vec from, to;
  std::array<float, 4> weights;
};
struct Grid {
  unsigned size[3];
  float step[3];
  Vec origin;
};

static Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static Vec scaled(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }

[[gnu::noinline]] static Ray moved(Ray r, Grid g) {
  r.from = r.from + scaled(g.origin, g.step[0]);
  for (float &w : r.weights)
    w *= g.step[1];
  return r;
}

void straight(Grid g, Ray r, std::span<Vec> out) {
  unsigned i = ferry::block_idx().x * ferry::block_dim().x + ferry::thread_idx().x;
  if (i >= g.size[0])
    return;
  Ray m = moved(r, g);
  float sum = 0;
  for (float w : m.weights)
    sum += w;
  out[i] = m.from + scaled(m.to, sum);
}

void arrays(std::span<const float> in, std::span<float> out) {
  std::size_t i = ferry::global_id();
  float window[8];
  for (int k = 0; k < 8; ++k)
    window[k] = in[8 * i + k];
  for (int k = 0; k < 8; ++k)
    window[(k * 3) % 8] += window[k];
  float most = window[0];
  for (float w : window)
    most = w > most ? w : most;
  out[i] = most;
}

void closures(std::span<float> out, float a) {
  std::size_t i = ferry::global_id();
  auto twice = [a](float v) { return v * 2 + a; };
  auto compose = [&](auto f, auto g) { return g(f(out[i])); };
  out[i] = compose(twice, [&](float v) { return v - out[i]; });
}

void host(Grid g, Ray r, std::vector<Vec> &v, std::vector<float> &x,
          std::vector<float> &y) {
  ferry::launch<straight>(ferry::blocks(9).threads(128), g, r, v);
  ferry::launch<arrays>(ferry::over(y.size()), x, y);
  ferry::launch<closures>(ferry::over(y.size()), y, 2.f);
}
