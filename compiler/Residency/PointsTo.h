//===- PointsTo.h - Which memory a pointer may point to ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Andersen's analysis (Program Analysis and Specialization for the C
// Programming Language, 1994) over a module: neither the order of instructions
// nor the callers are kept apart, but the places inside an object are. The
// objects are heap allocations and stack slots; all other memory is one object,
// Unknown. What matters is where a pointer to an object gets into Unknown
// memory or into code that is not here: there it *escapes*.
//
// Integers that were made of a pointer, or loaded from where one was stored,
// carry it along. Of arithmetic on them only what can't give the pointer back
// sets it free: a difference of two, a few low bits, a comparison.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RESIDENCY_POINTSTO_H
#define FERRY_COMPILER_RESIDENCY_POINTSTO_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SparseBitVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <map>
#include <unordered_map>

namespace ferry {

/// Where in which object. Object 0 is Unknown memory.
struct Place {
  unsigned Object;
  int64_t Offset;

  static constexpr int64_t Anywhere = INT64_MIN;
};

/// Numbers of places. 0 is Unknown memory.
using PlaceSet = llvm::SparseBitVector<>;

struct MemoryObject {
  llvm::Instruction *Origin = nullptr; ///< an alloca or an allocating call
  bool IsHeap = false;
  bool Escapes = false; ///< somewhere
  /// Launches that it is an argument of.
  llvm::SmallSetVector<llvm::Instruction *, 2> Launches;
  /// What is stored in it, and where. Of no interest once it escapes, since all
  /// that gets there escapes as well.
  std::map<int64_t, PlaceSet> Contents;
  /// Its places' numbers, by offset.
  llvm::SmallDenseMap<int64_t, unsigned, 4> Places;
  llvm::SmallSetVector<llvm::Instruction *, 4> Readers, Writers;
};

using ObjectSet = llvm::SmallSetVector<unsigned, 4>;
using GetLibraryInfo =
    llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)>;

class PointsTo {
public:
  PointsTo(llvm::Module &M, GetLibraryInfo Library);

  const MemoryObject &object(unsigned Id) const { return Objects[Id]; }
  unsigned numObjects() const { return Objects.size(); }

  const PlaceSet &places(llvm::Value *V) const;

  /// A value points into one of the objects.
  bool mayPointTo(llvm::Value *V,
                  llvm::function_ref<bool(unsigned Object)> Objects) const;

  /// The objects that matter and are reached from the places in one or more
  /// steps.
  void addReached(const PlaceSet &From, ObjectSet &To) const;

  /// What gets out of sight at an instruction: objects that it has a pointer
  /// to, and those that are reached from there.
  struct Escape {
    ObjectSet Direct, Reached;
  };
  const llvm::MapVector<llvm::Instruction *, Escape> &escapes() const {
    return Found;
  }

  /// The function that a call runs, if it is here and is the one that will run.
  static llvm::Function *visibleCallee(const llvm::CallBase &Call);

private:
  const llvm::DataLayout &DL;
  GetLibraryInfo Library;
  std::vector<Place> Places;
  PlaceSet Nothing, Unknown;
  std::vector<MemoryObject> Objects;
  llvm::DenseMap<llvm::Instruction *, unsigned> ObjectOf;
  std::unordered_map<llvm::Value *, PlaceSet> Points;
  std::unordered_map<llvm::Function *, PlaceSet> Returned;
  /// What is to be visited; differences after everything else, since what they
  /// carry is seen when both operands are known.
  llvm::SetVector<llvm::Instruction *> Work, Differences;
  /// Heap objects of launches, and what they can be reached from.
  llvm::DenseSet<unsigned> Matters;
  bool Recording = false;
  llvm::MapVector<llvm::Instruction *, Escape> Found;

  void solve();
  void findWhatMatters();
  void addWork(llvm::Instruction &I);
  void addObject(llvm::Instruction &Origin, bool IsHeap);
  void addReader(llvm::Instruction &I, const PlaceSet &Of);
  unsigned numberOf(Place P);
  /// The same places, `By` bytes further; without it somewhere in the objects.
  PlaceSet moved(const PlaceSet &From, std::optional<int64_t> By);
  void add(llvm::Value &To, const PlaceSet &New);
  void addUsers(llvm::Value &V);
  bool carries(llvm::Value *V) const;

  PlaceSet contents(const Place &At, uint64_t Bytes) const;
  void store(llvm::Instruction &I, const PlaceSet &Values,
             const PlaceSet &Addresses);
  void addContents(const Place &At, const PlaceSet &Values);
  void markEscaped(unsigned Object);
  void escape(llvm::Instruction &I, const PlaceSet &Values);
  void escapeContents(llvm::Instruction &I, const PlaceSet &Of);

  void visit(llvm::Instruction &I);
  void visitGep(llvm::GetElementPtrInst &I);
  void visitArithmetic(llvm::BinaryOperator &I);
  void visitLoad(llvm::LoadInst &I);
  void visitCall(llvm::CallBase &Call);
  bool visitIntrinsic(llvm::CallBase &Call);
  void visitTransfer(llvm::CallBase &Call);
  void visitLaunch(llvm::CallBase &Call);
  void bind(llvm::CallBase &Call, llvm::Function &Callee);
  void visitUnseen(llvm::CallBase &Call);
  void passOn(llvm::Instruction &I);
};

} // namespace ferry

#endif // FERRY_COMPILER_RESIDENCY_POINTSTO_H
