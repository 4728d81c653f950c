//===- MemoryTypes.cpp - What memory holds --------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse mode adds to shadow memory, so it has to know where there are numbers
// and of what type. A load or store says so itself. For copies of whole blocks
// and for integers that may be bits of numbers, pointers are sorted into
// classes (Steensgaard, "Points-to analysis in almost linear time", POPL 1996):
// pointers to the same block are in one class, whatever the offset; what they
// are copied to is in that class too; and all pointers that are kept in one
// class's memory point to one other class. Each class gathers what its memory
// is read and written as, and the types that are declared for it.
//
// Only what the function does is known. Memory that it copies without ever
// looking at it is of no known type, and to differentiate it is refused.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/MemoryTypes.h"
#include "Autodiff/Prepare.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry::ad {

//===----------------------------------------------------------------------===//
// Classes of pointers
//===----------------------------------------------------------------------===//

unsigned MemoryTypes::make() {
  auto N = static_cast<unsigned>(Nodes.size());
  Nodes.emplace_back();
  Nodes.back().Parent = N;
  return N;
}

unsigned MemoryTypes::find(unsigned N) {
  while (Nodes[N].Parent != N)
    N = Nodes[N].Parent = Nodes[Nodes[N].Parent].Parent;
  return N;
}

void MemoryTypes::unify(unsigned A, unsigned B) {
  A = find(A);
  B = find(B);
  if (A == B)
    return;
  Nodes[B].Parent = A;
  Node &To = Nodes[A], &From = Nodes[B];
  To.Floats.insert(From.Floats.begin(), From.Floats.end());
  To.Declared.insert(From.Declared.begin(), From.Declared.end());
  To.Pointers |= From.Pointers;
  To.Integers |= From.Integers;
  unsigned P = To.Pointee, Q = From.Pointee;
  if (!P)
    To.Pointee = Q;
  else if (Q)
    unify(P, Q);
}

unsigned MemoryTypes::pointee(unsigned N) {
  N = find(N);
  if (!Nodes[N].Pointee) {
    unsigned P = make();
    Nodes[N].Pointee = P;
  }
  return find(Nodes[N].Pointee);
}

unsigned MemoryTypes::node(const Value *Pointer) {
  SmallVector<Type *> Steps;
  for (;;) {
    Pointer = Pointer->stripPointerCasts();
    auto *Gep = dyn_cast<GEPOperator>(Pointer);
    if (!Gep)
      break;
    Steps.push_back(Gep->getSourceElementType());
    Pointer = Gep->getPointerOperand();
  }
  unsigned &Number = Numbers[Pointer];
  if (!Number) {
    Number = make();
    if (auto *Local = dyn_cast<AllocaInst>(Pointer))
      Steps.push_back(Local->getAllocatedType());
    if (auto *Global = dyn_cast<GlobalVariable>(Pointer))
      Steps.push_back(Global->getValueType());
  }
  unsigned N = find(Number);
  Nodes[N].Declared.insert(Steps.begin(), Steps.end());
  return N;
}

/// Null, or the address that Rust has for all empty arrays of one alignment.
static bool leadsNowhere(const Value &V) {
  auto *Expression = dyn_cast<ConstantExpr>(&V);
  return isa<ConstantData>(V) ||
         (Expression && Expression->getOpcode() == Instruction::IntToPtr);
}

/// Memory of class `N` is read or written as a `T`, with the value `V`.
void MemoryTypes::access(unsigned N, Type *T, const Value *V) {
  if (T->isVectorTy())
    T = T->getScalarType();
  if (T->isFloatingPointTy()) {
    Nodes[find(N)].Floats.insert(T);
  } else if (T->isIntegerTy()) {
    Nodes[find(N)].Integers = true;
  } else if (T->isPointerTy()) {
    Nodes[find(N)].Pointers = true;
    if (!leadsNowhere(*V))
      unify(pointee(N), node(V));
  }
}

void MemoryTypes::read(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return access(node(Load->getPointerOperand()), I.getType(), &I);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return access(node(Store->getPointerOperand()),
                  Store->getValueOperand()->getType(),
                  Store->getValueOperand());
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return unify(node(Copy->getRawDest()), node(Copy->getRawSource()));
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return access(node(Atomic->getPointerOperand()), I.getType(), &I);
  if (I.getType()->isPointerTy() && isa<PHINode, SelectInst, FreezeInst>(I))
    for (const Use &U : I.operands())
      if (U->getType()->isPointerTy() && !leadsNowhere(*U))
        unify(node(&I), node(U.get()));
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I);
      Gep && Gep->getType()->isPointerTy())
    node(Gep);
}

MemoryTypes::MemoryTypes(Function &F) : DL(F.getDataLayout()) {
  make(); // 0 is no class
  for (const BasicBlock &BB : F)
    if (!isLost(BB))
      for (const Instruction &I : BB)
        read(I);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// The scalars of `T`, one after the other.
static void flatten(Type *T, uint64_t Offset, const DataLayout &DL,
                    SmallVectorImpl<std::pair<uint64_t, Type *>> &Out) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (auto [I, Member] : enumerate(S->elements()))
      flatten(Member, Offset + DL.getStructLayout(S)->getElementOffset(I), DL,
              Out);
    return;
  }
  auto *A = dyn_cast<ArrayType>(T);
  auto *V = dyn_cast<FixedVectorType>(T);
  if (!A && !V) {
    Out.emplace_back(Offset, T);
    return;
  }
  Type *Element = A ? A->getElementType() : V->getElementType();
  uint64_t Count = A ? A->getNumElements() : V->getNumElements();
  for (uint64_t I = 0; I != Count && Out.size() < 4096; ++I)
    flatten(Element, Offset + I * DL.getTypeAllocSize(Element), DL, Out);
}

/// The numbers and pointers in `Bytes` bytes at `Pointer`, if it is a place in
/// an object of a declared type: a variable, or an element of an array.
static std::optional<std::vector<Segment>>
declaredSegments(const Value &Pointer, ConstantInt &Bytes,
                 const DataLayout &DL) {
  APInt Start(DL.getIndexTypeSizeInBits(Pointer.getType()), 0);
  const Value *Base = Pointer.stripAndAccumulateConstantOffsets(
      DL, Start, /*AllowNonInbounds=*/true);
  Type *T = nullptr;
  if (auto *Local = dyn_cast<AllocaInst>(Base))
    T = Local->isArrayAllocation() ? nullptr : Local->getAllocatedType();
  else if (auto *Global = dyn_cast<GlobalVariable>(Base))
    T = Global->getValueType();
  else if (auto *Gep = dyn_cast<GEPOperator>(Base))
    T = Gep->getResultElementType();
  // Before an element is another one, of the same array.
  if (Start.isNegative())
    return std::nullopt;
  uint64_t Begin = Start.getZExtValue(), Length = Bytes.getZExtValue();
  // Optimisers write addresses, and split variables, in bytes.
  if (!T || !T->isSized() || T->isIntegerTy(8) ||
      Begin + Length > DL.getTypeAllocSize(T))
    return std::nullopt;
  SmallVector<std::pair<uint64_t, Type *>> Scalars;
  flatten(T, 0, DL, Scalars);
  if (Scalars.size() >= 4096 ||
      any_of(Scalars, [](auto &S) { return S.second->isIntegerTy(8); }))
    return std::nullopt;
  std::vector<Segment> Parts;
  for (auto [Offset, Scalar] : Scalars) {
    uint64_t Size = DL.getTypeStoreSize(Scalar);
    if (Scalar->isIntegerTy() || Offset + Size <= Begin ||
        Offset >= Begin + Length)
      continue;
    if (Offset < Begin || Offset + Size > Begin + Length)
      return std::nullopt; // half a number
    // Neighbours of one type are moved together.
    if (!Parts.empty() && Parts.back().Scalar == Scalar) {
      uint64_t Together =
          cast<ConstantInt>(Parts.back().Bytes)->getZExtValue() + Size;
      if (Parts.back().Offset + Together == Offset - Begin + Size) {
        Parts.back().Bytes = ConstantInt::get(Bytes.getType(), Together);
        continue;
      }
    }
    Parts.push_back(
        {Offset - Begin, ConstantInt::get(Bytes.getType(), Size), Scalar});
  }
  return Parts;
}

/// Whether `Pointer` is by its address an element of an array of `Scalar`s, of
/// which `Bytes` bytes are whole ones.
static bool isArrayOf(Type *Scalar, const Value &Pointer, const Value &Bytes,
                      const DataLayout &DL) {
  auto *Gep = dyn_cast<GEPOperator>(&Pointer);
  Type *T = Gep ? Gep->getSourceElementType() : nullptr;
  while (T && T->isArrayTy())
    T = T->getArrayElementType();
  uint64_t Size = DL.getTypeAllocSize(Scalar);
  return T == Scalar && isPowerOf2_64(Size) &&
         computeKnownBits(&Bytes, DL).countMinTrailingZeros() >= Log2_64(Size);
}

std::optional<std::vector<Segment>>
MemoryTypes::segments(const MemIntrinsic &I) {
  auto Parts = segmentsOf(I);
  // Blocks that may overlap are moved as a whole or not at all.
  if (Parts && Parts->size() > 1 && isa<MemMoveInst>(I))
    return std::nullopt;
  return Parts;
}

std::optional<std::vector<Segment>>
MemoryTypes::segmentsOf(const MemIntrinsic &I) {
  const Node &N = Nodes[find(node(I.getRawDest()))];
  Value *All = I.getLength();
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  if (auto *Bytes = dyn_cast<ConstantInt>(All)) {
    if (auto Parts = declaredSegments(*I.getRawDest(), *Bytes, DL))
      return Parts;
    if (Copy)
      if (auto Parts = declaredSegments(*Copy->getRawSource(), *Bytes, DL))
        return Parts;
  }
  SmallSetVector<Type *, 2> Floats = N.Floats;
  bool Pointers = N.Pointers, Integers = N.Integers;
  // Without any access: all that is declared is of one scalar type.
  if (Floats.empty() && !Pointers && !Integers)
    for (Type *T : N.Declared) {
      while (T->isArrayTy() || T->isVectorTy())
        T = T->getContainedType(0);
      if (T->isFloatingPointTy())
        Floats.insert(T);
      else
        (T->isPointerTy() ? Pointers : Integers) = true;
    }
  // Where there are no pointers, a fill makes all adjoints zero.
  bool Fills = isa<MemSetInst>(I) && !Floats.empty() && !Pointers;
  bool InArray = Copy && Floats.size() == 1 && !Pointers &&
                 (isArrayOf(Floats.front(), *Copy->getRawDest(), *All, DL) ||
                  isArrayOf(Floats.front(), *Copy->getRawSource(), *All, DL));
  if (Fills || InArray || (Floats.size() == 1 && !Pointers && !Integers))
    return std::vector<Segment>{{0, All, Floats.front()}};
  if (Floats.empty() && Pointers)
    return std::vector<Segment>{
        {0, All, PointerType::get(All->getContext(), 0)}};
  if (Floats.empty() && Integers)
    return std::vector<Segment>{};
  return std::nullopt;
}

bool MemoryTypes::mayHoldFloats(const Value &Pointer) {
  return !Nodes[find(node(&Pointer))].Floats.empty();
}

bool MemoryTypes::holdsPointersOnly(const Value &Pointer) {
  const Node &N = Nodes[find(node(&Pointer))];
  return N.Pointers && N.Floats.empty();
}

bool MemoryTypes::holdsBoth(const Value &Pointer) {
  const Node &N = Nodes[find(node(&Pointer))];
  return N.Pointers && !N.Floats.empty();
}

bool MemoryTypes::holdsIntegersOnly(const Value &Pointer) {
  const Node &N = Nodes[find(node(&Pointer))];
  return !N.Pointers && N.Floats.empty();
}

Type *MemoryTypes::floatOfSize(const Value &Pointer, uint64_t Size) {
  for (Type *T : Nodes[find(node(&Pointer))].Floats)
    if (DL.getTypeStoreSize(T) == Size)
      return T;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Integers that are bits of numbers
//===----------------------------------------------------------------------===//

/// Whether `Pointer` is by its address the field of a struct, of the integer
/// type `T`.
static bool isIntegerField(const Value &Pointer, const Type *T) {
  auto *Gep = dyn_cast<GEPOperator>(&Pointer);
  return Gep && Gep->getSourceElementType()->isStructTy() &&
         Gep->getResultElementType() == T;
}

/// Whether `Pointer` is a place in a local variable that is read and written as
/// integers only. Known of variables whose address goes nowhere.
static bool isIntegerPlace(const Value &Pointer, uint64_t Size,
                           const DataLayout &DL) {
  APInt Start(DL.getIndexTypeSizeInBits(Pointer.getType()), 0);
  const Value *Base = Pointer.stripAndAccumulateConstantOffsets(
      DL, Start, /*AllowNonInbounds=*/true);
  if (!isa<AllocaInst>(Base))
    return false;
  SmallVector<const Value *> Pointers{Base};
  for (size_t N = 0; N != Pointers.size(); ++N)
    for (const Use &U : Pointers[N]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isLost(*I->getParent()))
        continue;
      if (isa<GetElementPtrInst>(I)) {
        Pointers.push_back(I);
        continue;
      }
      const Value *Address = getLoadStorePointerOperand(I);
      APInt At(Start.getBitWidth(), 0);
      if (!Address || (isa<StoreInst>(I) && U.getOperandNo() == 0) ||
          Address->stripAndAccumulateConstantOffsets(
              DL, At, /*AllowNonInbounds=*/true) != Base)
        return false;
      Type *Other = getLoadStoreType(I);
      bool Apart = At.sge(Start + Size) ||
                   Start.sge(At + DL.getTypeStoreSize(Other).getFixedValue());
      if (!Apart && !Other->isIntegerTy())
        return false;
    }
  return true;
}

bool MemoryTypes::mayBePartOfFloat(const Value &Pointer, const Type *T) {
  if (!mayHoldFloats(Pointer) || isIntegerField(Pointer, T) ||
      isIntegerPlace(Pointer, DL.getTypeStoreSize(const_cast<Type *>(T)), DL))
    return false;
  uint64_t Size = DL.getTypeStoreSize(const_cast<Type *>(T));
  if (floatOfSize(Pointer, Size))
    return true;
  // Single bytes of numbers are copied by loops; at a constant offset it is a
  // small field of a struct.
  auto *Gep = dyn_cast<GEPOperator>(&Pointer);
  return Size < 4 && Gep && !Gep->hasAllConstantIndices();
}

/// The type of the number whose bits `Load` brings, if it does.
static Type *loadedNumber(LoadInst &Load, MemoryTypes &Types,
                          const DataLayout &DL) {
  if (!Load.getType()->isIntegerTy() || !Load.isSimple())
    return nullptr;
  bool Copied = false;
  for (User *U : Load.users()) {
    if (auto *Cast = dyn_cast<BitCastInst>(U);
        Cast && Cast->getType()->isFPOrFPVectorTy())
      return Cast->getType();
    auto *Store = dyn_cast<StoreInst>(U);
    Copied |= Store && Store->getValueOperand() == &Load;
  }
  uint64_t Size = DL.getTypeStoreSize(Load.getType());
  // It could as well be a pointer.
  if (Types.holdsBoth(*Load.getPointerOperand()))
    return nullptr;
  if (!Copied || isIntegerField(*Load.getPointerOperand(), Load.getType()))
    return nullptr;
  if (Type *T = Types.floatOfSize(*Load.getPointerOperand(), Size))
    return T;
  for (User *U : Load.users())
    if (auto *Store = dyn_cast<StoreInst>(U))
      if (Type *T = Types.floatOfSize(*Store->getPointerOperand(), Size))
        return T;
  return nullptr;
}

void retypeCopies(Function &F) {
  MemoryTypes Types(F);
  SmallVector<Instruction *> Accesses;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I))
      Accesses.push_back(&I);
  for (Instruction *I : Accesses) {
    auto *Load = dyn_cast<LoadInst>(I);
    Type *T = Load ? loadedNumber(*Load, Types, F.getDataLayout()) : nullptr;
    if (!T)
      continue;
    IRBuilder<> B(I->getNextNode());
    Load->mutateType(T);
    auto *Bits = cast<Instruction>(B.Insert(new BitCastInst(
        Load, IntegerType::get(F.getContext(),
                               static_cast<unsigned>(
                                   F.getDataLayout().getTypeSizeInBits(T))))));
    Load->replaceUsesWithIf(Bits, [&](Use &U) { return U.getUser() != Bits; });
    for (User *U : make_early_inc_range(Bits->users()))
      if (auto *Cast = dyn_cast<BitCastInst>(U); Cast && Cast->getType() == T) {
        Cast->replaceAllUsesWith(Load);
        Cast->eraseFromParent();
      }
    Load->setMetadata(LLVMContext::MD_range, nullptr);
    Load->setMetadata(LLVMContext::MD_noundef, nullptr);
    Load->setMetadata(LLVMContext::MD_tbaa, nullptr);
  }
  for (Instruction *I : Accesses)
    if (auto *Store = dyn_cast<StoreInst>(I))
      if (auto *Cast = dyn_cast<BitCastInst>(Store->getValueOperand());
          Cast && Cast->getType()->isIntegerTy() &&
          Cast->getOperand(0)->getType()->isFPOrFPVectorTy()) {
        Store->setOperand(0, Cast->getOperand(0));
        Store->setMetadata(LLVMContext::MD_tbaa, nullptr);
      }
}

} // namespace ferry::ad
