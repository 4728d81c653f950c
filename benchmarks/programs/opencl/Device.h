//===- Device.h - A CPU by OpenCL -------------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least that running kernels on PoCL's CPU device takes. Buffers use the
// host's memory, as Ferry's cpu device does, so that a time is the kernel's and
// its launch's alone.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCHMARKS_DEVICE_H
#define FERRY_BENCHMARKS_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 300
#include "Work.h"
#include <CL/cl.h>
#include <cstdlib>

inline void check(cl_int Status, const char *What) {
  if (Status == CL_SUCCESS)
    return;
  std::cerr << What << " failed: OpenCL's error " << Status << "\n";
  std::exit(1);
}

class Device {
public:
  static Device &get() {
    static Device D;
    return D;
  }
  cl_context Context;
  cl_device_id Id;
  cl_command_queue Queue;

private:
  Device() {
    cl_platform_id Platforms[8];
    cl_uint Count = 0;
    check(clGetPlatformIDs(8, Platforms, &Count), "clGetPlatformIDs");
    cl_int Status = CL_DEVICE_NOT_FOUND;
    for (cl_uint I = 0; I < std::min(Count, 8u) && Status != CL_SUCCESS; ++I)
      Status =
          clGetDeviceIDs(Platforms[I], CL_DEVICE_TYPE_CPU, 1, &Id, nullptr);
    check(Status, "clGetDeviceIDs");
    Context = clCreateContext(nullptr, 1, &Id, nullptr, nullptr, &Status);
    check(Status, "clCreateContext");
    Queue = clCreateCommandQueueWithProperties(Context, Id, nullptr, &Status);
    check(Status, "clCreateCommandQueueWithProperties");
  }
};

/// A vector's memory for as long as this lives.
class Buffer {
public:
  template <class T> explicit Buffer(std::vector<T> &V) {
    cl_int Status;
    Memory = clCreateBuffer(Device::get().Context,
                            CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                            V.size() * sizeof(T), V.data(), &Status);
    check(Status, "clCreateBuffer");
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { clReleaseMemObject(Memory); }
  cl_mem Memory;
};

/// One kernel of a program's text. `Constants` are `-D` options.
class Kernel {
public:
  Kernel(const char *Text, const char *Name,
         const std::string &Constants = "") {
    Device &D = Device::get();
    cl_int Status;
    Program = clCreateProgramWithSource(D.Context, 1, &Text, nullptr, &Status);
    check(Status, "clCreateProgramWithSource");
    std::string Flags = "-cl-std=CL3.0 " + Constants;
    if (clBuildProgram(Program, 1, &D.Id, Flags.c_str(), nullptr, nullptr) !=
        CL_SUCCESS) {
      std::string Log(1 << 16, 0);
      clGetProgramBuildInfo(Program, D.Id, CL_PROGRAM_BUILD_LOG, Log.size(),
                            Log.data(), nullptr);
      std::cerr << Log.c_str() << "\n";
      std::exit(1);
    }
    Function = clCreateKernel(Program, Name, &Status);
    check(Status, "clCreateKernel");
  }
  Kernel(const Kernel &) = delete;
  ~Kernel() {
    clReleaseKernel(Function);
    clReleaseProgram(Program);
  }

  template <class... Ts> Kernel &with(const Ts &...Values) {
    cl_uint Index = 0;
    (set(Index++, Values), ...);
    return *this;
  }

  /// `Local` empty: the implementation chooses, as Ferry does for over().
  void run(std::vector<std::size_t> Global,
           std::vector<std::size_t> Local = {}) {
    start(Global, Local);
    check(clFinish(Device::get().Queue), "clFinish");
  }
  void start(std::vector<std::size_t> Global,
             std::vector<std::size_t> Local = {}) {
    check(clEnqueueNDRangeKernel(Device::get().Queue, Function, Global.size(),
                                 nullptr, Global.data(),
                                 Local.empty() ? nullptr : Local.data(), 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

private:
  cl_program Program;
  cl_kernel Function;

  void set(cl_uint Index, const Buffer &B) {
    check(clSetKernelArg(Function, Index, sizeof(cl_mem), &B.Memory),
          "clSetKernelArg");
  }
  template <class T> void set(cl_uint Index, const T &Value) {
    check(clSetKernelArg(Function, Index, sizeof Value, &Value),
          "clSetKernelArg");
  }
};

inline std::string define(const char *Name, double Value) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "-D%s=%.9gf ", Name, Value);
  return Text;
}
inline std::string define(const char *Name, std::size_t Value) {
  return std::string("-D") + Name + "=" + std::to_string(Value) + " ";
}

#endif // FERRY_BENCHMARKS_DEVICE_H
