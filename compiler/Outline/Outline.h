//===- Outline.h - Kernels and all they reach, in a module of their own ---===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_OUTLINE_H
#define FERRY_COMPILER_OUTLINE_H

#include "Outline/Reach.h"
#include "Records.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace ferry {

/// Copies the plan's kernels out of `M`, which stays as it is. No value when a
/// kernel cannot run on a device; the errors are reported. `WholeProgram`
/// words the advice for a missing body.
std::optional<DeviceProgram>
outlineKernels(llvm::Module &M, const LaunchPlan &Plan, bool WholeProgram);

/// Takes out of `Program.M`, a copy of host code, what speaks of the host, and
/// lists the mutable globals that are left in Program.Globals.
void makeNeutral(DeviceProgram &Program, const Reach &Reached,
                 llvm::ValueToValueMapTy &VMap);

/// Turns every call of a panic entry (Panics.cpp) in `Program.M` into a
/// numbered site.
void convertPanics(DeviceProgram &Program);

/// The site of `S` in the program's table, new if need be.
unsigned siteIndex(DeviceProgram &Program, const PanicSite &S);

/// The declaration of __ferry_panic (Records.h).
llvm::FunctionCallee panicFunction(llvm::Module &M);

/// Turns every __ferry_print of `Program.M` into a numbered site, except those
/// of which printProblem has something to say.
void convertPrints(DeviceProgram &Program);

/// What is wrong with a call of __ferry_print: "prints with a format that ...".
std::string printProblem(const llvm::CallBase &Call);

/// Functions that only tables name (a class's deleting destructor, say) need
/// not be portable as long as nobody calls them: the ones that are not become a
/// panic.
void stubUnportableTargets(const LaunchPlan &Plan, DeviceProgram &Program,
                           const Reach &Reached);

/// Says of collectives and of whoever calls them that they are convergent.
void describeCollectives(llvm::Module &M);

/// Makes one call again of copies of a convergent one.
void mergeDuplicates(llvm::Module &M);

/// Replaces __ferry_instance (markers.h). Returns whether there was one. Comes
/// before anything is inlined, so that a link comes too late.
bool nameInstances(llvm::Module &M);

/// Keeps apart what generic instances in Rust ask of shared memory.
void separateInstances(llvm::Module &M);

/// Makes a global of each shared object. Calls whose place is no constant stay.
void placeSharedObjects(DeviceProgram &Program);

/// Refuses what no device can run. True when all is well.
bool checkPortability(const LaunchPlan &Plan, const DeviceProgram &Program,
                      const Reach &Reached, bool WholeProgram);

} // namespace ferry

#endif // FERRY_COMPILER_OUTLINE_H
