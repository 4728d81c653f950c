//===- Error.cpp - What a failed call leaves behind -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread keeps the text of its last failed call on the heap, so that long
// C++ names are not cut off; a thread-specific key frees it with the thread.
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

namespace ferry::rt {

Text::~Text() { free(Data); }

char *Text::release() {
  char *Result = Data;
  Data = nullptr;
  Length = Capacity = 0;
  return Result;
}

bool Text::reserve(size_t More) {
  if (Length + More + 1 <= Capacity)
    return true;
  size_t Wanted = (Length + More + 1) * 2;
  char *Grown = static_cast<char *>(realloc(Data, Wanted));
  if (!Grown)
    return false;
  Data = Grown;
  Capacity = Wanted;
  return true;
}

Text &Text::addBytes(const char *Bytes, size_t Count) {
  if (!reserve(Count))
    return *this;
  memcpy(Data + Length, Bytes, Count);
  Length += Count;
  Data[Length] = 0;
  return *this;
}

Text &Text::add(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  int Needed = vsnprintf(nullptr, 0, Format, Arguments);
  va_end(Arguments);
  if (Needed <= 0 || !reserve(Needed))
    return *this;
  va_start(Arguments, Format);
  vsnprintf(Data + Length, Needed + 1, Format, Arguments);
  va_end(Arguments);
  Length += Needed;
  return *this;
}

void addLaunch(Text &T, const ferry_kernel &Kernel,
               const ferry_source_place &Place) {
  if (Kernel.module)
    T.add("kernel '%s' launched", Kernel.name);
  else
    T.add("%s", Kernel.name);
  if (Place.file_length) {
    T.add(" at ").addBytes(Place.file, Place.file_length);
    T.add(":%llu:%llu", static_cast<unsigned long long>(Place.line),
          static_cast<unsigned long long>(Place.column));
  }
  T.add(": ");
}

static thread_local char *LastError = nullptr;
static pthread_key_t FreeAtThreadEnd;
static pthread_once_t FreeAtThreadEndOnce = PTHREAD_ONCE_INIT;

static const char NoMemory[] = "ferry: the call failed, and the host has no "
                               "memory left for the text of the error";

static void dropLastError() {
  if (LastError != NoMemory)
    free(LastError);
  LastError = nullptr;
}

static void setLastError(const char *Bytes, size_t Length) {
  // The text may come from ferry_last_error() itself, so copy before freeing.
  char *Copy = static_cast<char *>(malloc(Length + 1));
  if (Copy) {
    memcpy(Copy, Bytes, Length);
    Copy[Length] = 0;
  }
  dropLastError();
  LastError = Copy ? Copy : const_cast<char *>(NoMemory);
  pthread_once(&FreeAtThreadEndOnce, [] {
    pthread_key_create(&FreeAtThreadEnd, [](void *) { dropLastError(); });
  });
  pthread_setspecific(FreeAtThreadEnd, LastError);
}

int fail(int Status, const Text &T) {
  setLastError(T.chars(), T.size());
  return Status;
}

} // namespace ferry::rt

extern "C" const char *ferry_last_error(void) {
  return ferry::rt::LastError ? ferry::rt::LastError : "";
}

extern "C" int ferry_fail(int Status, const char *Message, uint64_t Length) {
  ferry::rt::setLastError(Message, Length);
  return Status;
}
