//===- Helpers.cpp - Functions that derivatives call ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that only differentiate need no library, so the few loops that
// derivatives share are written into each module that has a use for them.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Helpers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace ferry::ad {

static Function *start(Module &M, const Twine &Name, ArrayRef<Type *> Types) {
  auto *F = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), Types, false),
      GlobalValue::InternalLinkage, Name, &M);
  return F;
}

static constexpr StringRef UnlessZeroPrefix = "ferry.unless.zero.";

Value *unlessZero(IRBuilderBase &B, Value *D, Value *X) {
  if (auto *C = dyn_cast<ConstantFP>(D))
    return C->isZero() ? Constant::getNullValue(X->getType()) : X;
  Module &M = *B.GetInsertBlock()->getModule();
  Type *T = X->getType();
  std::string Name(UnlessZeroPrefix);
  raw_string_ostream(Name) << *T;
  FunctionCallee F = M.getOrInsertFunction(Name, T, T, T);
  auto *Declared = cast<Function>(F.getCallee());
  Declared->setDoesNotAccessMemory();
  Declared->setDoesNotThrow();
  Declared->setWillReturn();
  return B.CreateCall(F, {D, X});
}

void expandUnlessZero(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction() ||
        !Call->getCalledFunction()->getName().starts_with(UnlessZeroPrefix))
      continue;
    IRBuilder<> B(Call);
    Value *D = Call->getArgOperand(0), *X = Call->getArgOperand(1);
    Constant *Zero = Constant::getNullValue(Call->getType());
    Value *IsLost =
        B.CreateAnd(B.CreateFCmpOEQ(D, Zero), B.CreateFCmpUNO(X, X));
    Call->replaceAllUsesWith(B.CreateSelect(IsLost, Zero, X));
    Call->eraseFromParent();
  }
}

void lowerUnlessZero(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || !F.getName().starts_with(UnlessZeroPrefix))
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = cast<CallInst>(U);
      IRBuilder<> B(Call);
      Value *D = Call->getArgOperand(0), *X = Call->getArgOperand(1);
      // A NaN is as unequal as a number and stays one; this comparison is one
      // flag on most machines.
      Value *Counts =
          B.CreateFCmpONE(D, Constant::getNullValue(Call->getType()));
      Call->replaceAllUsesWith(B.CreateSelect(Counts, X, D));
      Call->eraseFromParent();
    }
    F.eraseFromParent();
  }
}

/// for (i = begin; i != end; i += step) body(i)
template <class Body>
static void loop(IRBuilder<> &B, Value *Begin, Value *End, int64_t Step,
                 Body MakeBody) {
  Function *F = B.GetInsertBlock()->getParent();
  LLVMContext &C = F->getContext();
  BasicBlock *Before = B.GetInsertBlock();
  auto *Head = BasicBlock::Create(C, "", F), *In = BasicBlock::Create(C, "", F);
  auto *After = BasicBlock::Create(C, "", F);
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *I = B.CreatePHI(Begin->getType(), 2);
  I->addIncoming(Begin, Before);
  B.CreateCondBr(B.CreateICmpEQ(I, End), After, In);
  B.SetInsertPoint(In);
  MakeBody(I);
  I->addIncoming(B.CreateAdd(I, B.getInt64(static_cast<uint64_t>(Step))),
                 B.GetInsertBlock());
  B.CreateBr(Head);
  B.SetInsertPoint(After);
}

Function *undoCopyFunction(Module &M, Type *Scalar) {
  std::string Name;
  raw_string_ostream(Name) << "ferry.undo.copy." << *Scalar;
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  Function *F = start(M, Name, {Ptr, Ptr, I64});
  Value *To = F->getArg(0), *From = F->getArg(1);
  auto *Up = BasicBlock::Create(C, "", F), *Down = BasicBlock::Create(C, "", F);
  IRBuilder<> B(BasicBlock::Create(C, "", F, Up));
  Value *Count = B.CreateUDiv(
      F->getArg(2), B.getInt64(M.getDataLayout().getTypeAllocSize(Scalar)));
  auto Move = [&](Value *I) {
    Value *Target = B.CreateGEP(Scalar, To, I);
    Value *Source = B.CreateGEP(Scalar, From, I);
    Value *D = B.CreateLoad(Scalar, Target);
    B.CreateStore(Constant::getNullValue(Scalar), Target);
    B.CreateStore(B.CreateFAdd(B.CreateLoad(Scalar, Source), D), Source);
  };
  // Blocks may overlap: nothing is added to an element before it is taken.
  B.CreateCondBr(B.CreateICmpULT(To, From), Down, Up);
  B.SetInsertPoint(Up);
  loop(B, B.getInt64(0), Count, 1, Move);
  B.CreateRetVoid();
  B.SetInsertPoint(Down);
  loop(B, Count, B.getInt64(0), -1,
       [&](Value *I) { Move(B.CreateSub(I, B.getInt64(1))); });
  B.CreateRetVoid();
  return F;
}

/// Ends the program if `Block` is null; goes on behind that.
static void checkMemory(IRBuilder<> &B, Value *Block) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *Good = BasicBlock::Create(F->getContext(), "", F),
       *Bad = BasicBlock::Create(F->getContext(), "", F);
  B.CreateCondBr(B.CreateIsNull(Block), Bad, Good);
  B.SetInsertPoint(Bad);
  B.CreateIntrinsic(Intrinsic::trap, {});
  B.CreateUnreachable();
  B.SetInsertPoint(Good);
}

Function *tapeAllocateFunction(Module &M) {
  if (Function *F = M.getFunction("ferry.tape.allocate"))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  auto *F =
      Function::Create(FunctionType::get(Ptr, {I64}, false),
                       GlobalValue::InternalLinkage, "ferry.tape.allocate", &M);
  F->addRetAttr(Attribute::NoAlias);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  Value *Block =
      B.CreateCall(M.getOrInsertFunction("malloc", Ptr, I64), {F->getArg(0)});
  checkMemory(B, Block);
  B.CreateRet(Block);
  return F;
}

/// What `ferry.tape.reserve` calls where there is too little room.
static Function *tapeGrowFunction(Module &M) {
  if (Function *F = M.getFunction("ferry.tape.grow"))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  Type *Stack = StructType::get(Ptr, Ptr, Ptr);
  auto *F =
      Function::Create(FunctionType::get(Stack, {Ptr, Ptr, Ptr, I64}, false),
                       GlobalValue::InternalLinkage, "ferry.tape.grow", &M);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  Value *Begin = B.CreatePtrToInt(F->getArg(0), I64);
  Value *Used = B.CreateSub(B.CreatePtrToInt(F->getArg(1), I64), Begin);
  Value *Have = B.CreateSub(B.CreatePtrToInt(F->getArg(2), I64), Begin);
  Value *Need = B.CreateAdd(Used, F->getArg(3));
  Value *Size = B.CreateBinaryIntrinsic(
      Intrinsic::umax, B.CreateMul(Have, B.getInt64(2)), B.getInt64(4096));
  Size = B.CreateBinaryIntrinsic(Intrinsic::umax, Size, Need);
  FunctionCallee Realloc = M.getOrInsertFunction("realloc", Ptr, Ptr, I64);
  Value *New = B.CreateCall(Realloc, {F->getArg(0), Size});
  checkMemory(B, New);
  Value *All = PoisonValue::get(Stack);
  All = B.CreateInsertValue(All, New, 0);
  All = B.CreateInsertValue(All, B.CreatePtrAdd(New, Used), 1);
  All = B.CreateInsertValue(All, B.CreatePtrAdd(New, Size), 2);
  B.CreateRet(All);
  return F;
}

Function *tapeReserveFunction(Module &M) {
  if (Function *F = M.getFunction("ferry.tape.reserve"))
    return F;
  LLVMContext &C = M.getContext();
  Function *Grow = tapeGrowFunction(M);
  auto *F =
      Function::Create(Grow->getFunctionType(), GlobalValue::InternalLinkage,
                       "ferry.tape.reserve", &M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  auto *Fits = BasicBlock::Create(C, "", F),
       *Grows = BasicBlock::Create(C, "", F);
  IRBuilder<> B(BasicBlock::Create(C, "", F, Fits));
  Type *I64 = B.getInt64Ty();
  Value *Room = B.CreateSub(B.CreatePtrToInt(F->getArg(2), I64),
                            B.CreatePtrToInt(F->getArg(1), I64));
  B.CreateCondBr(B.CreateICmpULT(Room, F->getArg(3)), Grows, Fits,
                 MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Grows);
  SmallVector<Value *> Arguments;
  for (Argument &A : F->args())
    Arguments.push_back(&A);
  B.CreateRet(B.CreateCall(Grow, Arguments));
  B.SetInsertPoint(Fits);
  Value *Same = PoisonValue::get(F->getReturnType());
  for (unsigned I : {0U, 1U, 2U})
    Same = B.CreateInsertValue(Same, F->getArg(I), I);
  B.CreateRet(Same);
  return F;
}

/// A list entry: the next one, the function, the block and what belongs to it.
static StructType *entryType(LLVMContext &C) {
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  return StructType::get(Ptr, Ptr, Ptr, I64, I64);
}

Function *releaseWithFunction(Module &M, FunctionCallee Release) {
  std::string Name =
      ("ferry.release." + cast<Function>(Release.getCallee())->getName()).str();
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C);
  Function *F = start(M, Name, {PointerType::get(C, 0), I64, I64});
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  SmallVector<Value *> Arguments;
  for (unsigned I = 0; I != Release.getFunctionType()->getNumParams(); ++I)
    Arguments.push_back(F->getArg(I));
  B.CreateCall(Release, Arguments);
  B.CreateRetVoid();
  return F;
}

Function *releaseLaterFunction(Module &M) {
  if (Function *F = M.getFunction("ferry.release.later"))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  Function *F = start(M, "ferry.release.later", {Ptr, Ptr, Ptr, I64, I64});
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  StructType *T = entryType(C);
  FunctionCallee Malloc = M.getOrInsertFunction("malloc", Ptr, I64);
  Value *Entry =
      B.CreateCall(Malloc, {B.getInt64(M.getDataLayout().getTypeAllocSize(T))});
  B.CreateStore(B.CreateLoad(Ptr, F->getArg(0)),
                B.CreateStructGEP(T, Entry, 0));
  for (unsigned Member = 1; Member != F->arg_size(); ++Member)
    B.CreateStore(F->getArg(Member), B.CreateStructGEP(T, Entry, Member));
  B.CreateStore(Entry, F->getArg(0));
  B.CreateRetVoid();
  return F;
}

Function *releaseAllFunction(Module &M) {
  if (Function *F = M.getFunction("ferry.release.all"))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *Void = Type::getVoidTy(C);
  Function *F = start(M, "ferry.release.all", {Ptr});
  auto *Before = BasicBlock::Create(C, "", F),
       *Head = BasicBlock::Create(C, "", F);
  auto *In = BasicBlock::Create(C, "", F),
       *After = BasicBlock::Create(C, "", F);
  StructType *T = entryType(C);
  IRBuilder<> B(Before);
  Value *Begin = B.CreateLoad(Ptr, F->getArg(0));
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *Entry = B.CreatePHI(Ptr, 2);
  Entry->addIncoming(Begin, Before);
  B.CreateCondBr(B.CreateIsNull(Entry), After, In);
  B.SetInsertPoint(In);
  Value *Next = B.CreateLoad(Ptr, B.CreateStructGEP(T, Entry, 0));
  Value *Release = B.CreateLoad(Ptr, B.CreateStructGEP(T, Entry, 1));
  Type *I64 = B.getInt64Ty();
  Value *Block = B.CreateLoad(Ptr, B.CreateStructGEP(T, Entry, 2));
  Value *First = B.CreateLoad(I64, B.CreateStructGEP(T, Entry, 3));
  Value *Second = B.CreateLoad(I64, B.CreateStructGEP(T, Entry, 4));
  B.CreateCall(FunctionType::get(Void, {Ptr, I64, I64}, false), Release,
               {Block, First, Second});
  B.CreateCall(M.getOrInsertFunction("free", Void, Ptr), {Entry});
  Entry->addIncoming(Next, In);
  B.CreateBr(Head);
  B.SetInsertPoint(After);
  B.CreateRetVoid();
  return F;
}

/// The function beside `Realloc` whose name has `To` for "realloc": the length
/// before a mangled name changes with it.
static FunctionCallee siblingOf(Function &Realloc, StringRef To,
                                FunctionType *T) {
  std::string Name = Realloc.getName().str();
  size_t At = Name.rfind("__rust_realloc");
  std::string Symbol = ("__rust_" + To).str();
  bool Mangled = At >= 3 && StringRef(Name).substr(At - 3).starts_with("14_");
  Name = Mangled ? Name.substr(0, At - 3) + std::to_string(Symbol.size()) +
                       "_" + Symbol
                 : Name.substr(0, At) + Symbol;
  return Realloc.getParent()->getOrInsertFunction(Name, T);
}

Function *rustReallocFunction(Function &Realloc) {
  Module &M = *Realloc.getParent();
  if (Function *F = M.getFunction("ferry.rust.realloc"))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  FunctionType *T = FunctionType::get(Ptr, {Ptr, I64, I64, I64}, false);
  auto *F = Function::Create(T, GlobalValue::InternalLinkage,
                             "ferry.rust.realloc", &M);
  Value *Old = F->getArg(0), *Size = F->getArg(1), *Alignment = F->getArg(2);
  FunctionCallee Allocate =
      siblingOf(Realloc, "alloc", FunctionType::get(Ptr, {I64, I64}, false));
  FunctionCallee Release =
      siblingOf(Realloc, "dealloc",
                FunctionType::get(Type::getVoidTy(C), {Ptr, I64, I64}, false));
  auto *Entry = BasicBlock::Create(C, "", F);
  auto *Copy = BasicBlock::Create(C, "", F),
       *Done = BasicBlock::Create(C, "", F);
  IRBuilder<> B(Entry);
  Value *New = B.CreateCall(Allocate, {F->getArg(3), Alignment});
  B.CreateCondBr(B.CreateIsNull(New), Done, Copy);
  B.SetInsertPoint(Copy);
  B.CreateMemCpy(New, MaybeAlign(), Old, MaybeAlign(),
                 B.CreateBinaryIntrinsic(Intrinsic::umin, Size, F->getArg(3)));
  B.CreateCall(Release, {Old, Size, Alignment});
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRet(New);
  return F;
}

} // namespace ferry::ad
