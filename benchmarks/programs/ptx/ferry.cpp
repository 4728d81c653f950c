// The kernels in Ferry's C++, and a launch of each. See kernels.inc.

#include <cmath>
#include <ferry/ferry.h>
#include <span>
#include <vector>

#define KERNEL
#define FUNCTION inline
#define TABLE constexpr
#define IN(T, NAME) std::span<const T> NAME
#define OUT(T, NAME) std::span<T> NAME
#define THREAD ferry::thread_idx()
#define BLOCK ferry::block_idx()
#define THREADS ferry::block_dim()
#define GRID ferry::grid_dim()
#define SHARED(T, NAME, COUNT) auto &NAME = ferry::shared<T[COUNT]>()
#define SYNC() ferry::sync_threads()
#define ADD(OBJECT, VALUE) ferry::atomic_add(OBJECT, VALUE)
#define LANE (THREAD.x)
#define SHUFFLE(VALUE, FROM) ferry::warp::shuffle(VALUE, FROM)
#define UNROLL _Pragma("clang loop unroll(full)")

#include "kernels.inc"

using ferry::blocks;
template <class T> using Data = std::vector<T>;

struct Arguments {
  Data<float> f1, f2, f3, f4, f5;
  Data<double> d1, d2, d3;
  Data<unsigned> u1, u2, u3;
  Data<int> i1, i2;
  Data<unsigned char> b;
  unsigned n, nx, ny, nz, j, k;
};

void launchAll(Arguments &A) {
  unsigned n = A.n, nx = A.nx, ny = A.ny;
  auto line = blocks((n + 255) / 256).threads(256);
  auto plane = blocks((nx + 31) / 32, (ny + 7) / 8).threads(32, 8);
  auto tiles = blocks(nx / 16, nx / 16).threads(16, 16);
  ferry::launch<saxpy>(line, 2.f, A.f1, A.f2, n);
  ferry::launch<triad>(line, 2., A.d1, A.d2, A.d3, n);
  ferry::launch<stencil5>(plane, A.f1, A.f2, nx, ny);
  ferry::launch<stencil7>(
      blocks((nx + 31) / 32, (ny + 3) / 4, (A.nz + 1) / 2).threads(32, 4, 2),
      A.d1, A.d2, nx, ny, A.nz);
  ferry::launch<matmul>(tiles, A.f1, A.f2, A.f3, nx);
  ferry::launch<matmul_tiled>(tiles, A.f1, A.f2, A.f3, nx);
  ferry::launch<transpose>(
      blocks((nx + 31) / 32, (ny + 31) / 32).threads(32, 8), A.f1, A.f2, nx,
      ny);
  ferry::launch<reduce_tree>(blocks(n / 1024).threads(1024), A.f1, A.f2, n);
  ferry::launch<scan_blelloch>(blocks(n / 512).threads(256), A.i1, A.i2);
  ferry::launch<histogram>(blocks(n / 4096).threads(256), A.b, A.u1, n);
  ferry::launch<bitonic>(line, A.u1, A.j, A.k);
  ferry::launch<black_scholes>(line, A.f1, A.f2, A.f3, A.f4, A.f5, 0.02f, 0.3f,
                               n);
  ferry::launch<nbody>(blocks(n / 256).threads(256), A.f1, A.f2, n);
  ferry::launch<csr>(line, A.u1, A.u2, A.d1, A.d2, A.d3, n);
  ferry::launch<mandelbrot>(plane, A.u1, nx, ny, A.k);
  ferry::launch<philox>(line, A.u1, A.k, n);
  ferry::launch<softmax>(blocks((ny + 7) / 8).threads(32, 8), A.f1, A.f2, nx);
  ferry::launch<kmeans>(line, A.f1, A.f2, A.u1, n, A.k);
  ferry::launch<lbm>(plane, A.f1, A.f2, nx, ny, 1.2f);
  ferry::launch<sha256>(line, A.u1, A.u2, n);
}
