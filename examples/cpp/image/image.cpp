//===- image.cpp - Three filters on a picture, on any device --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// image PICTURE.png OUTPUT-DIRECTORY
//
// Reads a picture and writes three: blurred (a Gaussian, first along x, then
// along y), its edges (Sobel's gradient of the blurred picture) and one with
// equalised contrast (a histogram, and a grey level for each by its rank).
//
// The functions of the first part know nothing of Ferry. The kernels of the
// second call them for one pixel, the serial versions of the third in loops;
// the results are compared.
//
//===----------------------------------------------------------------------===//

#include "Png.h"
#include <ferry/ferry.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>

using Levels = std::array<std::uint32_t, 256>;

//===----------------------------------------------------------------------===//
// Ordinary functions
//===----------------------------------------------------------------------===//

/// Half of a Gaussian: Weight[d] for the pixels at distance d.
struct Gaussian {
  static constexpr int Radius = 8;
  float Weight[Radius + 1];
};

static Gaussian makeGaussian(float Sigma) {
  Gaussian G;
  float Sum = 0;
  for (int D = 0; D <= Gaussian::Radius; ++D) {
    G.Weight[D] = std::exp(-0.5f * D * D / (Sigma * Sigma));
    Sum += D == 0 ? G.Weight[D] : 2 * G.Weight[D];
  }
  for (float &Weight : G.Weight)
    Weight /= Sum;
  return G;
}

/// Pixels beyond the border are those on it.
static std::size_t clampTo(std::ptrdiff_t I, std::size_t Size) {
  return std::clamp<std::ptrdiff_t>(I, 0, Size - 1);
}

/// The weighted mean around element I of a line of Size elements, which are
/// Stride apart and begin at First.
static float blurredAt(const Gaussian &G, std::span<const float> In,
                       std::size_t First, std::size_t Stride, std::size_t Size,
                       std::size_t I) {
  float Sum = G.Weight[0] * In[First + I * Stride];
  for (int D = 1; D <= Gaussian::Radius; ++D)
    Sum += G.Weight[D] * (In[First + clampTo(I - D, Size) * Stride] +
                          In[First + clampTo(I + D, Size) * Stride]);
  return Sum;
}

static std::uint8_t toGrey(float Value) {
  return static_cast<std::uint8_t>(std::clamp(Value + 0.5f, 0.f, 255.f));
}

/// The length of Sobel's gradient at (X, Y), made brighter for the eye.
static std::uint8_t edgeAt(std::span<const float> In, std::size_t Width,
                           std::size_t Height, std::size_t X, std::size_t Y) {
  auto At = [&](int DX, int DY) {
    return In[clampTo(Y + DY, Height) * Width + clampTo(X + DX, Width)];
  };
  float GX = At(1, -1) + 2 * At(1, 0) + At(1, 1) - At(-1, -1) - 2 * At(-1, 0) -
             At(-1, 1);
  float GY = At(-1, 1) + 2 * At(0, 1) + At(1, 1) - At(-1, -1) - 2 * At(0, -1) -
             At(1, -1);
  return toGrey(6 * std::sqrt(GX * GX + GY * GY));
}

/// Spreads the grey levels so that each covers as much of the range as it has
/// pixels.
static std::array<std::uint8_t, 256> equalisingTable(const Levels &Count) {
  std::array<std::uint8_t, 256> Table;
  std::uint64_t All = 0, Below = 0;
  for (std::uint32_t C : Count)
    All += C;
  std::uint64_t Darkest = *std::ranges::find_if(Count, std::identity());
  for (int Level = 0; Level < 256; ++Level) {
    Below += Count[Level];
    std::uint64_t Rank = Below > Darkest ? Below - Darkest : 0;
    Table[Level] = All == Darkest ? Level : Rank * 255 / (All - Darkest);
  }
  return Table;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// One thread a pixel.
static void toFloat(std::span<const std::uint8_t> In, std::span<float> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = In[I];
}

static void blurX(const Gaussian &G, std::span<const float> In,
                  std::span<float> Out, std::size_t Width) {
  auto [X, Y, Z] = ferry::global_idx();
  Out[Y * Width + X] = blurredAt(G, In, Y * Width, 1, Width, X);
}

static void blurY(const Gaussian &G, std::span<const float> In,
                  std::span<float> Out, std::size_t Width, std::size_t Height) {
  auto [X, Y, Z] = ferry::global_idx();
  Out[Y * Width + X] = blurredAt(G, In, X, Width, Height, Y);
}

static void edges(std::span<const float> In, std::span<std::uint8_t> Out,
                  std::size_t Width, std::size_t Height) {
  auto [X, Y, Z] = ferry::global_idx();
  Out[Y * Width + X] = edgeAt(In, Width, Height, X, Y);
}

/// One thread a line of pixels: it counts for itself first, so that threads
/// meet at an atomic once a level and not once a pixel.
static void histogram(std::span<const std::uint8_t> In,
                      std::span<std::uint32_t> Count, std::size_t Width) {
  std::uint32_t Own[256] = {};
  for (std::uint8_t Level : In.subspan(ferry::global_id() * Width, Width))
    ++Own[Level];
  for (int Level = 0; Level < 256; ++Level)
    if (Own[Level])
      std::atomic_ref(Count[Level])
          .fetch_add(Own[Level], std::memory_order_relaxed);
}

static void equalise(std::span<const std::uint8_t, 256> Table,
                     std::span<const std::uint8_t> In,
                     std::span<std::uint8_t> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = Table[In[I]];
}

//===----------------------------------------------------------------------===//
// The three filters, on the device and serially
//===----------------------------------------------------------------------===//

struct Results {
  std::vector<float> Blurred;
  std::vector<std::uint8_t> Edges, Equalised;
  Levels Histogram;
};

static void blurOnDevice(const Picture &In, Results &R) {
  Gaussian G = makeGaussian(2.5f);
  std::size_t W = In.Width, H = In.Height;
  std::vector<float> Grey(W * H), Half(W * H);
  R.Blurred.resize(W * H);
  ferry::launch<toFloat>(ferry::over(W * H), In.Pixels, ferry::out(Grey));
  ferry::launch<blurX>(ferry::over(W, H), G, Grey, ferry::out(Half), W);
  ferry::launch<blurY>(ferry::over(W, H), G, Half, ferry::out(R.Blurred), W, H);
}

static void blurSerially(const Picture &In, Results &R) {
  Gaussian G = makeGaussian(2.5f);
  std::size_t W = In.Width, H = In.Height;
  std::vector<float> Grey(In.Pixels.begin(), In.Pixels.end()), Half(W * H);
  R.Blurred.resize(W * H);
  for (std::size_t Y = 0; Y < H; ++Y)
    for (std::size_t X = 0; X < W; ++X)
      Half[Y * W + X] = blurredAt(G, Grey, Y * W, 1, W, X);
  for (std::size_t Y = 0; Y < H; ++Y)
    for (std::size_t X = 0; X < W; ++X)
      R.Blurred[Y * W + X] = blurredAt(G, Half, X, W, H, Y);
}

static void edgesOnDevice(const Picture &In, Results &R) {
  std::size_t W = In.Width, H = In.Height;
  R.Edges.resize(W * H);
  ferry::launch<edges>(ferry::over(W, H), R.Blurred, ferry::out(R.Edges), W, H);
}

static void edgesSerially(const Picture &In, Results &R) {
  std::size_t W = In.Width, H = In.Height;
  R.Edges.resize(W * H);
  for (std::size_t Y = 0; Y < H; ++Y)
    for (std::size_t X = 0; X < W; ++X)
      R.Edges[Y * W + X] = edgeAt(R.Blurred, W, H, X, Y);
}

static void equaliseOnDevice(const Picture &In, Results &R) {
  R.Histogram = {};
  ferry::launch<histogram>(ferry::over(In.Height), In.Pixels, R.Histogram,
                           In.Width);
  R.Equalised.resize(In.Pixels.size());
  ferry::launch<equalise>(ferry::over(In.Pixels.size()),
                          equalisingTable(R.Histogram), In.Pixels,
                          ferry::out(R.Equalised));
}

static void equaliseSerially(const Picture &In, Results &R) {
  R.Histogram = {};
  for (std::uint8_t Level : In.Pixels)
    ++R.Histogram[Level];
  auto Table = equalisingTable(R.Histogram);
  R.Equalised.resize(In.Pixels.size());
  std::ranges::transform(In.Pixels, R.Equalised.begin(),
                         [&](std::uint8_t Level) { return Table[Level]; });
}

//===----------------------------------------------------------------------===//
// Timing and comparing
//===----------------------------------------------------------------------===//

using Filter = void (*)(const Picture &, Results &);

static double milliseconds(Filter F, const Picture &In, Results &R) {
  auto Start = std::chrono::steady_clock::now();
  F(In, R);
  std::chrono::duration<double, std::milli> Time =
      std::chrono::steady_clock::now() - Start;
  return Time.count();
}

static double median(std::vector<double> Times) {
  std::ranges::nth_element(Times, Times.begin() + Times.size() / 2);
  return Times[Times.size() / 2];
}

/// Largest difference of two pictures.
template <class T>
static double difference(const std::vector<T> &A, const std::vector<T> &B) {
  double Most = 0;
  for (std::size_t I = 0; I < A.size(); ++I)
    Most = std::max(Most, std::abs(double(A[I]) - double(B[I])));
  return Most;
}

static std::string inKilobytes(std::uint64_t Bytes) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.1f KB", Bytes / 1e3);
  return Text;
}

/// Runs one filter both ways in turn, and prints a line about it.
static void compareFilter(const char *Name, Filter Device, Filter Serial,
                          const Picture &In, Results &OnDevice,
                          Results &Serially) {
  Device(In, OnDevice); // starts threads and drivers
  ferry::statistics Before = ferry::stats();
  Device(In, OnDevice);
  ferry::statistics After = ferry::stats();

  std::vector<double> DeviceTimes, SerialTimes;
  for (int Repeat = 0; Repeat < 15; ++Repeat) {
    DeviceTimes.push_back(milliseconds(Device, In, OnDevice));
    SerialTimes.push_back(milliseconds(Serial, In, Serially));
  }
  double DeviceTime = median(DeviceTimes), SerialTime = median(SerialTimes);
  auto Copies = [](std::uint64_t Count, std::uint64_t Bytes) {
    return std::to_string(Count) + " (" + inKilobytes(Bytes) + ")";
  };
  std::printf("  %-10s %8d   %-16s %-16s %6.2f ms %6.2f ms %6.2f x\n", Name,
              int(After.launches - Before.launches),
              Copies(After.copies_to_device - Before.copies_to_device,
                     After.bytes_to_device - Before.bytes_to_device)
                  .c_str(),
              Copies(After.copies_to_host - Before.copies_to_host,
                     After.bytes_to_host - Before.bytes_to_host)
                  .c_str(),
              DeviceTime, SerialTime, SerialTime / DeviceTime);
}

static int run(const std::string &Input, const std::string &Directory) {
  Picture In = readPng(Input);
  std::printf("image: %s, %zu x %zu, on %s\n", Input.c_str(), In.Width,
              In.Height, ferry::device_name(ferry::current_device()).c_str());
  std::printf("  %-10s %8s   %-16s %-16s %9s %9s %8s\n", "", "launches",
              "copies in", "copies back", "time", "serial", "speed-up");

  Results OnDevice, Serially;
  compareFilter("blur", blurOnDevice, blurSerially, In, OnDevice, Serially);
  compareFilter("edges", edgesOnDevice, edgesSerially, In, OnDevice, Serially);
  compareFilter("equalise", equaliseOnDevice, equaliseSerially, In, OnDevice,
                Serially);

  std::vector<std::uint8_t> Blurred(In.Pixels.size());
  std::ranges::transform(OnDevice.Blurred, Blurred.begin(), toGrey);
  writePng(Directory + "/blurred.png", {In.Width, In.Height, Blurred});
  writePng(Directory + "/edges.png", {In.Width, In.Height, OnDevice.Edges});
  writePng(Directory + "/equalised.png",
           {In.Width, In.Height, OnDevice.Equalised});
  std::printf("  wrote blurred.png, edges.png and equalised.png to %s\n",
              Directory.c_str());

  // Devices with fused multiply-add round sums differently, which may move a
  // grey level of an edge by one. Counting leaves no such room.
  double Blur = difference(OnDevice.Blurred, Serially.Blurred);
  double Edge = difference(OnDevice.Edges, Serially.Edges);
  bool Counts = OnDevice.Histogram == Serially.Histogram &&
                OnDevice.Equalised == Serially.Equalised;
  if (Blur > 1e-3 || Edge > 1 || !Counts) {
    std::printf("  WRONG: blur differs by %g, edges by %g, histogram %s\n",
                Blur, Edge, Counts ? "equal" : "different");
    return 1;
  }
  std::printf("  verified\n");
  return 0;
}

int main(int Count, char **Arguments) {
  if (Count != 3) {
    std::fprintf(stderr, "usage: image PICTURE.png OUTPUT-DIRECTORY\n");
    return 2;
  }
  try {
    return run(Arguments[1], Arguments[2]);
  } catch (const std::exception &E) {
    std::fprintf(stderr, "image: %s\n", E.what());
    return 1;
  }
}
