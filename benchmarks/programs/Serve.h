//===- Serve.h - A program that runs benchmarks on demand -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Competitors are processes of their own, so that one's waiting threads don't
// take the other's cores, and benchmarks/run lets them work in turn: it writes
// a benchmark's name to each one's standard input and reads the answer, the
// time in seconds and a number made from the results, which has to be the same
// for all.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCHMARKS_SERVE_H
#define FERRY_BENCHMARKS_SERVE_H

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

constexpr std::size_t Side = 4096, Count = Side * Side; // 2^24 elements
constexpr std::size_t Small = 1024;                     // 4 KB of floats
constexpr float Scale = 0.5f;
constexpr int Timed = 5; // runs that one answer is the median of

struct Answer {
  double Seconds;
  double Result;
};

inline double median(std::vector<double> Times) {
  std::ranges::nth_element(Times, Times.begin() + Times.size() / 2);
  return Times[Times.size() / 2];
}

template <class F> double secondsOf(F &&Run) {
  auto Start = std::chrono::steady_clock::now();
  Run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
      .count();
}

/// The median time of a run, after one that isn't counted.
template <class F> double timeOf(F &&Run) {
  Run();
  std::vector<double> Times;
  for (int I = 0; I < Timed; ++I)
    Times.push_back(secondsOf(Run));
  return median(Times);
}

/// The time of a short run when it comes right after others.
template <class F> double timeAwake(F &&Run) {
  constexpr int Row = 2000;
  return timeOf([&] {
           for (int I = 0; I < Row; ++I)
             Run();
         }) /
         Row;
}

/// The time of a short run when the worker threads have gone to sleep, which
/// OpenMP's do after 200 ms.
template <class F> double timeAsleep(F &&Run) {
  Run();
  std::vector<double> Times;
  for (int I = 0; I < Timed; ++I) {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    Times.push_back(secondsOf(Run));
  }
  return median(Times);
}

/// Some of the elements, so that no competitor can have done something else.
inline double sample(const std::vector<float> &V) {
  double Sum = 0;
  for (std::size_t I = 0; I < V.size(); I += V.size() / 64 - 1)
    Sum += V[I];
  return Sum;
}

inline int serve(const std::map<std::string, std::function<Answer()>> &Known) {
  std::cout.precision(12);
  for (std::string Name; std::getline(std::cin, Name);) {
    auto Found = Known.find(Name);
    if (Found == Known.end()) {
      std::cerr << "no benchmark " << Name << "\n";
      return 1;
    }
    Answer A = Found->second();
    std::cout << A.Seconds << " " << A.Result << std::endl;
  }
  return 0;
}

#endif // FERRY_BENCHMARKS_SERVE_H
