//===- PointsTo.cpp - Which memory a pointer may point to -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A work list of instructions. Each adds to what its value, the memory that it
// stores to, and the parameters of the function that it calls may point to, and
// puts those on the list that look at them. In the end all are visited once
// more, to note the escapes with everything known.
//
//===----------------------------------------------------------------------===//

#include "Residency/PointsTo.h"
#include "Residency/Copies.h"
#include "Residency/Heap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry {

/// A pointer that walks through an object has many offsets.
static constexpr unsigned MostOffsets = 32;
static constexpr int64_t PointerBytes = 8;

Function *PointsTo::visibleCallee(const CallBase &Call) {
  Function *F = Call.getCalledFunction();
  if (!F || F->isDeclaration() || !F->isDefinitionExact() || F->isVarArg() ||
      F->getFunctionType() != Call.getFunctionType())
    return nullptr;
  return F;
}

PointsTo::PointsTo(Module &M, GetLibraryInfo Library)
    : DL(M.getDataLayout()), Library(Library) {
  Objects.emplace_back().Escapes = true;
  Unknown.set(numberOf({0, Place::Anywhere}));
  for (Function &F : M) {
    if (F.isDeclaration() || !hasUnseenCallers(F))
      continue;
    for (Argument &A : F.args())
      if (A.getType()->isPtrOrPtrVectorTy())
        add(A, Unknown);
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      I.getOpcode() == Instruction::Sub ? addWork(I) : visit(I);
  solve();
  findWhatMatters();
  if (Matters.empty())
    return;
  Recording = true;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      visit(I);
}

void PointsTo::addWork(Instruction &I) {
  (I.getOpcode() == Instruction::Sub ? Differences : Work).insert(&I);
}

void PointsTo::solve() {
  while (true) {
    if (!Work.empty())
      visit(*Work.pop_back_val());
    else if (!Differences.empty())
      visit(*Differences.pop_back_val());
    else
      return;
  }
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

/// The instruction makes an object and points to it.
void PointsTo::addObject(Instruction &Origin, bool IsHeap) {
  auto [At, New] = ObjectOf.try_emplace(&Origin, Objects.size());
  if (New) {
    MemoryObject &O = Objects.emplace_back();
    O.Origin = &Origin;
    O.IsHeap = IsHeap;
  }
  PlaceSet Start;
  Start.set(numberOf({At->second, 0}));
  add(Origin, Start);
}

unsigned PointsTo::numberOf(Place P) {
  MemoryObject &O = Objects[P.Object];
  if (O.Places.size() >= MostOffsets && !O.Places.contains(P.Offset))
    P.Offset = Place::Anywhere;
  auto [At, New] = O.Places.try_emplace(P.Offset, Places.size());
  if (New)
    Places.push_back(P);
  return At->second;
}

PlaceSet PointsTo::moved(const PlaceSet &From, std::optional<int64_t> By) {
  if (By == 0)
    return From;
  PlaceSet Result;
  for (unsigned Number : From) {
    Place P = Places[Number];
    if (P.Offset != Place::Anywhere)
      P.Offset = By ? P.Offset + *By : Place::Anywhere;
    Result.set(numberOf(P));
  }
  return Result;
}

const PlaceSet &PointsTo::places(Value *V) const {
  if (auto *C = dyn_cast<Constant>(V)) {
    bool IsPointer = C->getType()->isPtrOrPtrVectorTy() &&
                     !isa<ConstantPointerNull, UndefValue>(C);
    return IsPointer ? Unknown : Nothing;
  }
  auto Known = Points.find(V);
  return Known == Points.end() ? Nothing : Known->second;
}

bool PointsTo::mayPointTo(Value *V, function_ref<bool(unsigned)> Which) const {
  for (unsigned Number : places(V))
    if (Which(Places[Number].Object))
      return true;
  return false;
}

void PointsTo::addReader(Instruction &I, const PlaceSet &Of) {
  for (unsigned Number : Of)
    Objects[Places[Number].Object].Readers.insert(&I);
}

void PointsTo::addUsers(Value &V) {
  for (User *U : V.users())
    if (auto *I = dyn_cast<Instruction>(U))
      addWork(*I);
}

void PointsTo::add(Value &To, const PlaceSet &New) {
  if (New.empty())
    return;
  bool Changed = Points[&To] |= New;
  if (Changed)
    addUsers(To);
}

/// Of more than Unknown memory.
bool PointsTo::carries(Value *V) const {
  const PlaceSet &Known = places(V);
  return !Known.empty() && Known != Unknown;
}

PlaceSet PointsTo::contents(const Place &At, uint64_t Bytes) const {
  const MemoryObject &O = Objects[At.Object];
  if (O.Escapes)
    return Unknown;
  PlaceSet Result;
  for (auto &[Offset, Stored] : O.Contents)
    if (Offset == Place::Anywhere || At.Offset == Place::Anywhere ||
        (Offset < At.Offset + int64_t(Bytes) &&
         At.Offset < Offset + PointerBytes))
      Result |= Stored;
  return Result;
}

void PointsTo::addReached(const PlaceSet &From, ObjectSet &To) const {
  SmallVector<unsigned> Left;
  auto Follow = [&](unsigned Object) {
    for (auto &[Offset, Stored] : Objects[Object].Contents)
      for (unsigned Number : Stored) {
        unsigned Next = Places[Number].Object;
        if (Matters.contains(Next) && To.insert(Next))
          Left.push_back(Next);
      }
  };
  for (unsigned Number : From)
    Follow(Places[Number].Object);
  while (!Left.empty())
    Follow(Left.pop_back_val());
}

void PointsTo::findWhatMatters() {
  SmallVector<unsigned> Left;
  for (unsigned Id = 1; Id < Objects.size(); ++Id)
    if (Objects[Id].IsHeap && !Objects[Id].Launches.empty() &&
        Matters.insert(Id).second)
      Left.push_back(Id);
  DenseMap<unsigned, SmallVector<unsigned, 2>> Holders;
  for (unsigned Id = 1; Id < Objects.size(); ++Id)
    for (auto &[Offset, Stored] : Objects[Id].Contents)
      for (unsigned Number : Stored)
        Holders[Places[Number].Object].push_back(Id);
  while (!Left.empty())
    for (unsigned Holder : Holders.lookup(Left.pop_back_val()))
      if (Matters.insert(Holder).second)
        Left.push_back(Holder);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void PointsTo::addContents(const Place &At, const PlaceSet &Values) {
  MemoryObject &O = Objects[At.Object];
  bool Changed = O.Contents[At.Offset] |= Values;
  if (!Changed)
    return;
  for (Instruction *I : O.Readers)
    addWork(*I);
}

/// From now on whoever has it may store anything there, and read it.
void PointsTo::markEscaped(unsigned Object) {
  MemoryObject &O = Objects[Object];
  if (O.Escapes)
    return;
  O.Escapes = true;
  for (Instruction *I : O.Readers)
    addWork(*I);
  for (Instruction *I : O.Writers)
    addWork(*I);
  auto Contents = std::move(O.Contents);
  O.Contents.clear();
  for (auto &[Offset, Stored] : Contents)
    for (unsigned Number : Stored)
      markEscaped(Places[Number].Object);
}

void PointsTo::escape(Instruction &I, const PlaceSet &Values) {
  for (unsigned Number : Values) {
    unsigned Object = Places[Number].Object;
    markEscaped(Object);
    if (Recording && Matters.contains(Object))
      Found[&I].Direct.insert(Object);
  }
}

void PointsTo::escapeContents(Instruction &I, const PlaceSet &Of) {
  ObjectSet Reached;
  for (unsigned Number : Of)
    for (auto &[Offset, Stored] : Objects[Places[Number].Object].Contents)
      for (unsigned Each : Stored)
        Reached.insert(Places[Each].Object);
  if (Recording) {
    addReached(Of, Reached);
    Reached.remove_if(
        [&](unsigned Object) { return !Matters.contains(Object); });
    if (!Reached.empty())
      Found[&I].Reached.insert_range(Reached);
    return;
  }
  for (unsigned Object : Reached)
    markEscaped(Object);
}

void PointsTo::store(Instruction &I, const PlaceSet &Values,
                     const PlaceSet &Addresses) {
  if (Values.empty())
    return;
  for (unsigned Number : Addresses) {
    const Place &At = Places[Number];
    MemoryObject &O = Objects[At.Object];
    O.Writers.insert(&I);
    if (O.Escapes)
      escape(I, Values);
    else
      addContents(At, Values);
  }
}

/// Values of the type may be pointers, or bits of them that stay together.
static bool canHoldPointers(Type *T) {
  if (auto *Int = dyn_cast<IntegerType>(T))
    return Int->getBitWidth() >= 64;
  if (T->isAggregateType())
    return true;
  return T->getScalarType()->isPointerTy() ||
         (T->isVectorTy() && T->getScalarType()->isIntegerTy(64));
}

void PointsTo::visitLoad(LoadInst &I) {
  uint64_t Bytes = DL.getTypeStoreSize(I.getType()).getKnownMinValue();
  PlaceSet Result;
  for (unsigned Number : places(I.getPointerOperand())) {
    const Place &At = Places[Number];
    Objects[At.Object].Readers.insert(&I);
    Result |= contents(At, Bytes);
  }
  if (!I.getType()->isPtrOrPtrVectorTy() && !I.getType()->isAggregateType())
    Result.intersectWithComplement(Unknown);
  if (canHoldPointers(I.getType()))
    add(I, Result);
  else
    escape(I, Result);
}

/// memcpy and memmove.
void PointsTo::visitTransfer(CallBase &Call) {
  auto &Transfer = cast<MemTransferInst>(Call);
  auto *Length = dyn_cast<ConstantInt>(Transfer.getLength());
  int64_t Bytes = Length ? Length->getZExtValue() : 0;
  const PlaceSet &To = places(Transfer.getRawDest());
  for (unsigned Number : places(Transfer.getRawSource())) {
    Place From = Places[Number];
    Objects[From.Object].Readers.insert(&Call);
    if (Objects[From.Object].Escapes) {
      store(Call, Unknown, moved(To, std::nullopt));
      continue;
    }
    auto Contents = Objects[From.Object].Contents;
    for (auto &[Offset, Stored] : Contents) {
      bool Exact =
          Length && Offset != Place::Anywhere && From.Offset != Place::Anywhere;
      int64_t At = Exact ? Offset - From.Offset : 0;
      if (Exact && (At + PointerBytes <= 0 || At >= Bytes))
        continue;
      store(Call, Stored, moved(To, Exact ? std::optional(At) : std::nullopt));
    }
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The value is one of the operands, or has it inside.
void PointsTo::passOn(Instruction &I) {
  for (Value *V : I.operands())
    add(I, places(V));
}

void PointsTo::visitGep(GetElementPtrInst &I) {
  for (Value *Index : I.indices())
    escape(I, places(Index));
  if (I.getType()->isVectorTy()) {
    escape(I, places(I.getPointerOperand()));
    add(I, Unknown);
    return;
  }
  APInt Offset(DL.getIndexTypeSizeInBits(I.getType()), 0);
  bool Constant = I.accumulateConstantOffset(DL, Offset);
  add(I, moved(places(I.getPointerOperand()),
               Constant ? std::optional(Offset.getSExtValue()) : std::nullopt));
}

/// Only these low bits are left.
static bool isLowBits(Value *Mask) {
  auto *C = dyn_cast<ConstantInt>(Mask);
  return C && C->getValue().getActiveBits() <= 12;
}

void PointsTo::visitArithmetic(BinaryOperator &I) {
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  bool Left = carries(L), Right = carries(R);
  if (!Left && !Right)
    return;
  PlaceSet Both = moved(places(L), std::nullopt);
  Both |= moved(places(R), std::nullopt);
  switch (I.getOpcode()) {
  case Instruction::Sub:
    if (Left && Right)
      return;
    break;
  case Instruction::And:
    if (isLowBits(L) || isLowBits(R))
      return;
    break;
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Xor:
    break;
  default:
    escape(I, Both);
    return;
  }
  add(I, Both);
}

void PointsTo::visit(Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Alloca:
    addObject(I, /*IsHeap=*/false);
    return;
  case Instruction::GetElementPtr:
    visitGep(cast<GetElementPtrInst>(I));
    return;
  case Instruction::IntToPtr:
    if (!carries(I.getOperand(0)))
      add(I, Unknown);
    passOn(I);
    return;
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    passOn(I);
    return;
  case Instruction::Trunc:
    if (canHoldPointers(I.getType()))
      passOn(I);
    return;
  case Instruction::ZExt:
  case Instruction::SExt:
    passOn(I);
    return;
  case Instruction::Load:
    visitLoad(cast<LoadInst>(I));
    return;
  case Instruction::Store:
    store(I, places(I.getOperand(0)), places(I.getOperand(1)));
    return;
  case Instruction::Call:
  case Instruction::Invoke:
    visitCall(cast<CallBase>(I));
    return;
  case Instruction::Ret:
    if (I.getNumOperands()) {
      const PlaceSet &Value = places(I.getOperand(0));
      if (hasUnseenCallers(*I.getFunction()))
        escape(I, Value);
      bool Changed = Returned[I.getFunction()] |= Value;
      if (Changed)
        addUsers(*I.getFunction());
    }
    return;
  case Instruction::ICmp:
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Fence:
    return;
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    // Data as a rule; a pointer there is lost from sight.
    escapeContents(I, places(I.getOperand(0)));
    for (Value *V : drop_begin(I.operands()))
      escape(I, places(V));
    addReader(I, places(I.getOperand(0)));
    break;
  default:
    if (auto *B = dyn_cast<BinaryOperator>(&I)) {
      visitArithmetic(*B);
      return;
    }
    for (Value *V : I.operands())
      escape(I, places(V));
    break;
  }
  if (I.getType()->isPtrOrPtrVectorTy() || I.getType()->isAggregateType())
    add(I, Unknown);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns whether nothing is left to say about the call.
bool PointsTo::visitIntrinsic(CallBase &Call) {
  if (isa<DbgInfoIntrinsic>(Call) || isa<MemSetInst>(Call))
    return true;
  if (isa<MemTransferInst>(Call)) {
    visitTransfer(Call);
    return true;
  }
  switch (Call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::prefetch:
  case Intrinsic::objectsize:
  case Intrinsic::is_constant:
    return true;
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptrmask:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    for (Value *V : Call.args())
      add(Call, places(V));
    return true;
  default:
    return false;
  }
}

/// The slots' values are in an array.
void PointsTo::visitLaunch(CallBase &Call) {
  const PlaceSet &Arrays = places(Call.getArgOperand(3));
  addReader(Call, Arrays);
  for (unsigned Array : Arrays)
    for (unsigned Number : contents({Places[Array].Object, Place::Anywhere}, 0))
      Objects[Places[Number].Object].Launches.insert(&Call);
}

void PointsTo::bind(CallBase &Call, Function &Callee) {
  for (Argument &A : Callee.args()) {
    const PlaceSet &Given = places(Call.getArgOperand(A.getArgNo()));
    if (!A.hasPassPointeeByValueCopyAttr()) {
      add(A, Given);
      continue;
    }
    addReader(Call, Given);
    escapeContents(Call, Given);
    add(A, Unknown);
  }
  auto Result = Returned.find(&Callee);
  if (Result != Returned.end())
    add(Call, Result->second);
}

/// Code that is not here gets the arguments.
void PointsTo::visitUnseen(CallBase &Call) {
  const TargetLibraryInfo &TLI = Library(*Call.getFunction());
  Value *Freed = freedPointer(Call, TLI);
  for (Use &U : Call.data_ops()) {
    const PlaceSet &Given = places(U);
    if (Given.empty() || U == Freed)
      continue;
    bool Keeps = !Call.isArgOperand(&U) || !U->getType()->isPointerTy() ||
                 !Call.doesNotCapture(Call.getArgOperandNo(&U));
    if (Keeps) {
      escape(Call, Given);
      continue;
    }
    addReader(Call, Given);
    for (unsigned Number : Given)
      if (!Objects[Places[Number].Object].Escapes)
        addContents({Places[Number].Object, Place::Anywhere}, Unknown);
    escapeContents(Call, Given);
  }
}

void PointsTo::visitCall(CallBase &Call) {
  if (visitIntrinsic(Call))
    return;
  Function *Named = Call.getCalledFunction();
  if (Named && Named->getName() == "__ferry_run") {
    visitLaunch(Call);
    return;
  }
  if (allocates(Call, Library(*Call.getFunction()))) {
    addObject(Call, /*IsHeap=*/true);
    return;
  }
  Function *Callee = visibleCallee(Call);
  if (Callee && !freedPointer(Call, Library(*Call.getFunction()))) {
    bind(Call, *Callee);
    return;
  }
  visitUnseen(Call);
  if (Call.getType()->isPtrOrPtrVectorTy() || Call.getType()->isAggregateType())
    add(Call, Unknown);
}

} // namespace ferry
