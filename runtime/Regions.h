//===- Regions.h - Memory that stays on a device ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The regions of runtime.h: what of them is on which device, which bytes are
// right there, and which the host lacks. Addresses are the host's throughout.
//
// A region that the compiler has found is the business of the thread that began
// it, since no other can know of it. Others meet it only where all regions are
// looked through: to make room on a device, and before a fork. They pass over
// regions that are held. A region that the program has made itself, a
// *resident*, may be used by any thread, by several at a time.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_REGIONS_H
#define FERRY_RUNTIME_REGIONS_H

#include "RangeSet.h"

namespace ferry::rt {

struct Device;
struct Region;

/// A part of a region that has room on a device.
struct DeviceCopy {
  Region &Of;
  Device &D;
  Range Room;
  void *Block; ///< from deviceAlloc
  size_t BlockBytes;
  char *Address;      ///< of the room's begin
  RangeSet Valid;     ///< is there as the host has it, or newer
  RangeSet Newer;     ///< a part of these: the host's bytes are out of date
  uint32_t Users = 0; ///< launches that have pointers to it
  DeviceCopy *Next = nullptr;

  char *addressOf(uint64_t Byte) const { return Address + (Byte - Room.Begin); }
};

// `Named`: the launch was given a resident for these bytes, and not just the
// memory.

/// Before a launch uses these bytes: a region that has some of them and not
/// others is one no longer, or not on any device for now. False: it can't be,
/// since this thread itself is using it in a with_device.
[[nodiscard]] bool settleRegions(Range Bytes, bool Writes, bool Named);
/// Holds the region that has these bytes. Null when none has.
Region *holdRegion(Range Bytes, bool Named);
void release(Region &R);
Range bytesOf(const Region &R);
/// What a launch calls it, for traces.
void setName(Region &R, const char *Name);

/// Room for these bytes of the region, with what was there already. Null when
/// the device has none. It stays where it is until unplace(). Who places in
/// several regions does so in the order of their addresses.
DeviceCopy *placeOn(Region &R, Device &D, Range Bytes);
void unplace(Region &R, DeviceCopy &C);

/// Copies in what the device lacks of these bytes, and perhaps a few of
/// `Within` around them. False: a copy failed.
bool makeValid(Region &R, DeviceCopy &C, Range Bytes, Range Within);

/// A kernel has written them there.
void becomeNewer(Region &R, DeviceCopy &C, Range Bytes);

/// A launch on the host is about to touch these bytes, which may be of any
/// memory. False: as for settleRegions.
[[nodiscard]] bool hostTouches(Range Bytes, bool Writes, bool Named);

/// Work of the program's residents; no work where they are none. `Written`: by
/// the host, so that it is right there.
void bringResidentHome(Range Bytes, uint64_t Id);
int bringResidentTo(Device &D, Range Bytes, uint64_t Id, bool Written);

/// This thread is inside of a with_device that uses the region, and would wait
/// for itself.
bool isMappedHere(const Region &R);

/// These bytes are the host's from now on, as far as the compiler had found
/// anything about them.
void leaveAlone(Range Bytes);

/// Frees the room of all regions that are not held, after copying back what the
/// host lacks. Returns whether there was any.
bool evictRegions(Device &D);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_REGIONS_H
