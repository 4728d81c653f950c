// Times the kernels of two or three cubins on a GPU, in turn, and prints the
// medians' ratios. benchmarks/gpu-vs-nvcc compiles and calls it:
//
//   measure cuda.cubin cuda.names [cpp.cubin cpp.names] [rust.cubin rust.names]
//
// A names file has lines of a kernel's name and its symbol. Kernels are loaded
// and launched through CUDA's driver, so that nothing but the kernel is timed.
// Ferry's kernels take the arguments that runtime.h (ferry_kernel) tells.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <string>
#include <vector>

// clang-format off
#define DRIVER(F) \
  F(cuInit) F(cuDeviceGet) F(cuDeviceGetName) F(cuDevicePrimaryCtxRetain) \
  F(cuCtxSetCurrent) F(cuModuleLoad) F(cuModuleGetFunction) \
  F(cuLaunchKernel) F(cuEventCreate) F(cuEventRecord) \
  F(cuEventSynchronize) F(cuGetErrorString)
// clang-format on
#define DECLARE(NAME) static decltype(&::NAME) NAME##Fn;
DRIVER(DECLARE)
// Those that cuda.h renames by a macro to a newer version.
static decltype(&::cuMemAlloc_v2) MemAlloc;
static decltype(&::cuMemcpyHtoD_v2) MemcpyHtoD;
static decltype(&::cuMemsetD8_v2) MemsetD8;
static CUresult (*EventElapsedTime)(float *, CUevent, CUevent);

static void check(CUresult R, const char *What) {
  if (R == CUDA_SUCCESS)
    return;
  const char *Text = "no driver";
  if (cuGetErrorStringFn)
    cuGetErrorStringFn(R, &Text);
  std::fprintf(stderr, "measure: %s: %s\n", What, Text);
  std::exit(1);
}

template <typename F> static void load(void *Library, F &To, const char *Name) {
  To = reinterpret_cast<F>(dlsym(Library, Name));
  if (!To) {
    std::fprintf(stderr, "measure: the driver has no %s\n", Name);
    std::exit(1);
  }
}

static void loadDriver() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Library) {
    std::fprintf(stderr, "measure: %s\n", dlerror());
    std::exit(1);
  }
#define LOAD(NAME) load(Library, NAME##Fn, #NAME);
  DRIVER(LOAD)
  load(Library, MemAlloc, "cuMemAlloc_v2");
  load(Library, MemcpyHtoD, "cuMemcpyHtoD_v2");
  load(Library, MemsetD8, "cuMemsetD8_v2");
  load(Library, EventElapsedTime, "cuEventElapsedTime");
}

/// An argument: a buffer, read or written, or a number of 4 or 8 bytes.
struct Argument {
  enum { In, Out, Number } Kind;
  CUdeviceptr Data = 0;
  uint64_t Elements = 0;
  uint64_t Bits = 0;
};

struct Kernel {
  const char *Name;
  unsigned Grid[3], Block[3];
  std::vector<Argument> Arguments;
};

template <typename T> static CUdeviceptr upload(const std::vector<T> &V) {
  CUdeviceptr P;
  check(MemAlloc(&P, V.size() * sizeof(T)), "memory");
  check(MemcpyHtoD(P, V.data(), V.size() * sizeof(T)), "copy");
  return P;
}
template <typename T> static Argument in(const std::vector<T> &V) {
  return {Argument::In, upload(V), V.size(), 0};
}
template <typename T> static Argument out(uint64_t N) {
  CUdeviceptr P;
  check(MemAlloc(&P, N * sizeof(T)), "memory");
  check(MemsetD8(P, 0, N * sizeof(T)), "memset");
  return {Argument::Out, P, N, 0};
}
template <typename T> static Argument number(T V) {
  Argument A{Argument::Number, 0, 0, 0};
  std::memcpy(&A.Bits, &V, sizeof(V));
  return A;
}

static std::vector<float> floats(uint64_t N, float Scale = 1) {
  std::vector<float> V(N);
  for (uint64_t I = 0; I < N; ++I)
    V[I] = Scale * (1 + (I * 2654435761u >> 8) % 1000 / 1000.f);
  return V;
}

static std::vector<Kernel> allKernels() {
  const unsigned N = 1 << 24, Side = 4096, Small = 2048, Rows = 1 << 20;
  std::vector<double> D(N, 1.5), Values(Rows * 16, 0.5), X(Rows, 2);
  std::vector<unsigned> Start(Rows + 1), Column(Rows * 16), Words(N);
  for (unsigned I = 0; I <= Rows; ++I)
    Start[I] = I * 16;
  for (unsigned I = 0; I < Rows * 16; ++I)
    Column[I] = (I / 16 + (I % 16) * 977) % Rows;
  for (unsigned I = 0; I < N; ++I)
    Words[I] = I * 2654435761u;
  std::vector<unsigned char> Bytes(N);
  for (unsigned I = 0; I < N; ++I)
    Bytes[I] = Words[I] >> 13;
  std::vector<int> Ints(N, 1);
  Argument F = in(floats(N)), G = in(floats(N, 3)), Dn = in(D),
           Plane = in(floats(uint64_t(Side) * Side * 9)),
           Square = in(floats(uint64_t(Small) * Small));
  auto Line = [](unsigned Threads, unsigned Block) {
    return (Threads + Block - 1) / Block;
  };
  auto U = [](unsigned V) { return number(V); };
  return {
      {"saxpy",
       {Line(N, 256), 1, 1},
       {256, 1, 1},
       {number(2.f), F, out<float>(N), U(N)}},
      {"triad",
       {Line(N, 256), 1, 1},
       {256, 1, 1},
       {number(2.), Dn, in(D), out<double>(N), U(N)}},
      {"stencil5",
       {Side / 32, Side / 8, 1},
       {32, 8, 1},
       {Plane, out<float>(Side * Side), U(Side), U(Side)}},
      {"stencil7",
       {256 / 32, 256 / 4, 256 / 2},
       {32, 4, 2},
       {Dn, out<double>(N), U(256), U(256), U(256)}},
      {"matmul",
       {Small / 16, Small / 16, 1},
       {16, 16, 1},
       {Square, in(floats(Small * Small)), out<float>(Small * Small),
        U(Small)}},
      {"matmul_tiled",
       {Small / 16, Small / 16, 1},
       {16, 16, 1},
       {Square, in(floats(Small * Small)), out<float>(Small * Small),
        U(Small)}},
      {"transpose",
       {Side / 32, Side / 32, 1},
       {32, 8, 1},
       {Plane, out<float>(Side * Side), U(Side), U(Side)}},
      {"reduce_tree",
       {N / 1024, 1, 1},
       {1024, 1, 1},
       {F, out<float>(N / 1024), U(N)}},
      {"scan_blelloch", {N / 512, 1, 1}, {256, 1, 1}, {in(Ints), out<int>(N)}},
      {"histogram",
       {2048, 1, 1},
       {256, 1, 1},
       {in(Bytes), out<unsigned>(256), U(N)}},
      {"bitonic",
       {Line(N, 256), 1, 1},
       {256, 1, 1},
       {out<unsigned>(N), U(64), U(128)}},
      {"black_scholes",
       {Line(N, 256), 1, 1},
       {256, 1, 1},
       {F, G, in(floats(N)), out<float>(N), out<float>(N), number(.02f),
        number(.3f), U(N)}},
      {"nbody",
       {128, 1, 1},
       {256, 1, 1},
       {in(floats(4 * 32768)), out<float>(3 * 32768), U(32768)}},
      {"csr",
       {Line(Rows, 256), 1, 1},
       {256, 1, 1},
       {in(Start), in(Column), in(Values), in(X), out<double>(Rows), U(Rows)}},
      {"mandelbrot",
       {Side / 32, Side / 8, 1},
       {32, 8, 1},
       {out<unsigned>(Side * Side), U(Side), U(Side), U(500)}},
      {"philox",
       {Line(N, 256), 1, 1},
       {256, 1, 1},
       {out<unsigned>(4ull * N), U(7), U(N)}},
      {"softmax",
       {Side / 8, 1, 1},
       {32, 8, 1},
       {Plane, out<float>(Side * Side), U(Side)}},
      {"kmeans",
       {Line(N / 8, 256), 1, 1},
       {256, 1, 1},
       {F, in(floats(8 * 64, 2)), out<unsigned>(N / 8), U(N / 8), U(64)}},
      {"lbm",
       {Side / 32, Side / 8, 1},
       {32, 8, 1},
       {Plane, out<float>(uint64_t(Side) * Side * 9), U(Side), U(Side),
        number(1.2f)}},
      {"sha256",
       {Line(N / 16, 256), 1, 1},
       {256, 1, 1},
       {in(Words), out<unsigned>(N / 2), U(N / 16)}},
  };
}

struct Code {
  enum Abi { Cuda, Cpp, Rust } Kind;
  const char *Language;
  CUmodule Module;
  std::map<std::string, std::string> Symbols;
};

/// What the kernel takes, eight bytes each at most.
static std::vector<uint64_t> slots(const Kernel &K, Code::Abi Abi) {
  std::vector<uint64_t> S;
  if (Abi != Code::Cuda)
    S.push_back(0); // libomptarget's own
  for (const Argument &A : K.Arguments) {
    S.push_back(A.Kind == Argument::Number ? A.Bits : A.Data);
    // Spans and slices have a length; Rust's outputs are bare pointers, but
    // for the histogram's atomics.
    bool Length = A.Kind == Argument::In ||
                  (A.Kind == Argument::Out &&
                   (Abi == Code::Cpp || !std::strcmp(K.Name, "histogram")));
    if (Abi != Code::Cuda && Length)
      S.push_back(A.Elements);
  }
  if (Abi == Code::Cuda)
    return S;
  for (unsigned Extent : K.Grid)
    S.push_back(Extent);
  for (unsigned Block : K.Block)
    S.push_back(Block);
  S.insert(S.end(), {0, 0, 0}); // dynamic shared memory, runner, panic record
  return S;
}

static void launch(const Kernel &K, CUfunction F, std::vector<uint64_t> &S) {
  std::vector<void *> Pointers;
  for (uint64_t &Slot : S)
    Pointers.push_back(&Slot);
  check(cuLaunchKernelFn(F, K.Grid[0], K.Grid[1], K.Grid[2], K.Block[0],
                         K.Block[1], K.Block[2], 0, nullptr, Pointers.data(),
                         nullptr),
        K.Name);
}

static double time(const Kernel &K, CUfunction F, std::vector<uint64_t> &S,
                   unsigned Launches, CUevent Begin, CUevent End) {
  check(cuEventRecordFn(Begin, nullptr), "event");
  for (unsigned I = 0; I < Launches; ++I)
    launch(K, F, S);
  check(cuEventRecordFn(End, nullptr), "event");
  check(cuEventSynchronizeFn(End), K.Name);
  float Milliseconds;
  check(EventElapsedTime(&Milliseconds, Begin, End), "event");
  return Milliseconds / Launches * 1000;
}

static double median(std::vector<double> V) {
  std::nth_element(V.begin(), V.begin() + V.size() / 2, V.end());
  return V[V.size() / 2];
}

int main(int Count, char **Words) {
  loadDriver();
  check(cuInitFn(0), "no GPU");
  CUdevice Device;
  CUcontext Context;
  check(cuDeviceGetFn(&Device, 0), "device");
  check(cuDevicePrimaryCtxRetainFn(&Context, Device), "context");
  check(cuCtxSetCurrentFn(Context), "context");
  char Name[100];
  check(cuDeviceGetNameFn(Name, sizeof Name, Device), "name");
  std::printf("%s; microseconds a launch, medians, and ratios to nvcc's\n",
              Name);
  CUevent Begin, End;
  check(cuEventCreateFn(&Begin, 0), "event");
  check(cuEventCreateFn(&End, 0), "event");

  const char *Languages[] = {"nvcc", "Ferry C++", "Ferry Rust"};
  std::vector<Code> All;
  for (int I = 1; I + 1 < Count; I += 2) {
    Code C;
    C.Kind = static_cast<Code::Abi>((I - 1) / 2);
    C.Language = Languages[(I - 1) / 2];
    check(cuModuleLoadFn(&C.Module, Words[I]), Words[I]);
    std::ifstream Names(Words[I + 1]);
    for (std::string Kernel, Symbol; Names >> Kernel >> Symbol;)
      C.Symbols[Kernel] = Symbol;
    All.push_back(C);
  }

  std::vector<double> Logs(All.size());
  unsigned Kernels = 0;
  for (const Kernel &K : allKernels()) {
    std::vector<CUfunction> F(All.size());
    std::vector<std::vector<uint64_t>> S(All.size());
    std::vector<unsigned> Launches(All.size());
    std::vector<std::vector<double>> Times(All.size());
    for (size_t I = 0; I < All.size(); ++I) {
      check(cuModuleGetFunctionFn(&F[I], All[I].Module,
                                  All[I].Symbols[K.Name].c_str()),
            K.Name);
      S[I] = slots(K, All[I].Kind);
      time(K, F[I], S[I], 1, Begin, End);
      double Once = time(K, F[I], S[I], 3, Begin, End);
      Launches[I] = std::clamp(5000 / (Once + 1), 1., 500.);
    }
    for (int Round = 0; Round < 25; ++Round)
      for (size_t I = 0; I < All.size(); ++I)
        Times[I].push_back(time(K, F[I], S[I], Launches[I], Begin, End));
    double First = median(Times[0]);
    std::printf("%-15s", K.Name);
    for (size_t I = 0; I < All.size(); ++I) {
      double M = median(Times[I]);
      std::printf("  %s %9.1f", All[I].Language, M);
      if (I)
        std::printf(" (%.3f)", M / First);
      Logs[I] += std::log(M / First);
    }
    std::printf("\n");
    std::fflush(stdout);
    ++Kernels;
  }
  for (size_t I = 1; I < All.size(); ++I)
    std::printf("geometric mean, %s: %.3f\n", All[I].Language,
                std::exp(Logs[I] / Kernels));
}
