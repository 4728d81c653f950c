//===- Host.cpp - Images, kernels and launches in the host module ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host side of a program is data: the records of ferry/runtime.h, which a
// constructor hands to libferry, and per launch two small arrays on the stack.
// A marker becomes
//
//   values = { slots: eight bytes each, a buffer's host address, or raw bytes }
//   bytes  = { the sizes of the buffers }
//   __ferry_run(site, shape, place, values, bytes)
//
// The CPU loops are linked back in, and the program's mutable globals take the
// place of the declarations that the loops use.
//
//===----------------------------------------------------------------------===//

#include "Host/Host.h"
#include "Host/Usages.h"
#include "Lower/Cpu/Cpu.h"
#include "Lower/Prints.h"
#include "ferry/markers.h"
#include "ferry/runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ferry {

namespace {
/// Writes one module's records. The members follow the order of runtime.h.
class RecordWriter {
public:
  RecordWriter(Module &M, const LaunchPlan &Plan, const DeviceProgram &Program)
      : M(M), Plan(Plan), Program(Program) {}

  void write(ArrayRef<Image> Images, ArrayRef<KernelUsage> Usages) {
    // The kernels point to the module's record and it to them.
    ModuleRecord =
        new GlobalVariable(M, moduleType(), false, GlobalValue::InternalLinkage,
                           nullptr, "ferry.module");
    ForGpus = any_of(Images, [](const Image &I) { return I.T.isGpu(); });
    for (const SharedGlobal &G : Program.Globals)
      Globals.push_back(global(G));
    for (auto [K, DK, Of] : zip(Plan.Kernels, Program.Kernels, Usages))
      Kernels.push_back(kernel(K, DK, Of));
    fillModule(Images);
    registerModule();
  }

  SmallVector<Constant *> Kernels; ///< parallel to Plan.Kernels

  Constant *site(const Kernel &K, Constant *KernelRecord) {
    SmallVector<Constant *> Slots;
    for (const Field &F : K.Fields) {
      uint32_t Flags = F.isLarge() ? FERRY_FIELD_READ | FERRY_SLOT_BYTES : 0;
      if (F.IsBuffer)
        Flags = (F.Reads ? FERRY_FIELD_READ : 0) |
                (F.Writes ? FERRY_FIELD_WRITE : 0) |
                (F.Unique ? FERRY_FIELD_UNIQUE : 0) |
                (F.Resident ? FERRY_FIELD_RESIDENT : 0) |
                (F.isScratch() ? FERRY_FIELD_SCRATCH : 0);
      for (unsigned I = 0; I != F.slots(); ++I)
        Slots.push_back(record({i32(Flags), i32(0), text(F.Name)}));
    }
    return constant("ferry.site",
                    record({KernelRecord, i32(Slots.size()), i32(0),
                            array("ferry.slots", Slots)}));
  }

private:
  Module &M;
  const LaunchPlan &Plan;
  const DeviceProgram &Program;
  LLVMContext &Ctx = M.getContext();
  bool ForGpus = false;
  GlobalVariable *ModuleRecord = nullptr;
  SmallVector<Constant *> Globals;
  StringMap<Constant *> Texts;
  UsageWriter UsageRecords{M};

  PointerType *ptr() { return PointerType::get(Ctx, 0); }
  Constant *null() { return ConstantPointerNull::get(ptr()); }
  Constant *i32(uint32_t V) {
    return ConstantInt::get(Type::getInt32Ty(Ctx), V);
  }
  Constant *i64(uint64_t V) {
    return ConstantInt::get(Type::getInt64Ty(Ctx), V);
  }
  Constant *record(ArrayRef<Constant *> Members) {
    return ConstantStruct::getAnon(Ctx, Members);
  }

  GlobalVariable *constant(const Twine &Name, Constant *Init) {
    return new GlobalVariable(M, Init->getType(), true,
                              GlobalValue::PrivateLinkage, Init, Name);
  }

  Constant *array(const Twine &Name, ArrayRef<Constant *> Elements) {
    if (Elements.empty())
      return null();
    return constant(
        Name,
        ConstantArray::get(
            ArrayType::get(Elements[0]->getType(), Elements.size()), Elements));
  }

  Constant *text(StringRef S) {
    Constant *&Known = Texts[S];
    if (!Known) {
      auto *G = constant("ferry.text", ConstantDataArray::getString(Ctx, S));
      G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
      Known = G;
    }
    return Known;
  }

  Constant *global(const SharedGlobal &G) {
    uint64_t Bytes = M.getDataLayout().getTypeAllocSize(G.Host->getValueType());
    return constant("ferry.global",
                    record({G.Host, i64(Bytes), text(G.Symbol), text(G.Name)}));
  }

  Constant *kernel(const Kernel &K, const DeviceKernel &DK,
                   const KernelUsage &Of) {
    SmallVector<Constant *> Used;
    for (unsigned Index : DK.Globals)
      Used.push_back(Globals[Index]);
    Function *Cpu = M.getFunction(K.Symbol + ".cpu");
    SmallVector<Constant *> Members = {
        i32(FERRY_RECORD_VERSION),
        i32((DK.CanPanic ? FERRY_KERNEL_CAN_PANIC : 0) |
            (DK.Prints ? FERRY_KERNEL_PRINTS : 0)),
        i32(K.LaunchShape == Shape::Over ? FERRY_OVER : FERRY_BLOCKS),
        i32(K.slots()),
        text(K.Name),
        text(K.Symbol),
        ModuleRecord,
        Cpu ? cast<Constant>(Cpu) : null(),
        i64(Used.size()),
        array("ferry.globals", Used),
        i64(DK.SharedBytes),
        i64(Cpu ? threadBytes(*Cpu) : 0),
        checked(K),
        ForGpus && K.hasApartVersion() ? text(K.apartSymbol()) : null()};
    append_range(Members, UsageRecords.members(Of));
    return constant("ferry.kernel", record(Members));
  }

  Constant *checked(const Kernel &K) {
    GlobalVariable *G = M.getNamedGlobal(K.Symbol + ".checked");
    if (!G)
      return null();
    G->setLinkage(GlobalValue::InternalLinkage);
    return G;
  }

  Constant *image(const Image &I) {
    auto *Bytes =
        constant("ferry.image",
                 ConstantDataArray::getString(
                     Ctx, StringRef(I.Bytes.data(), I.Bytes.size()), false));
    Bytes->setAlignment(Align(16)); // ELF is read in place
    Constant *End = ConstantExpr::getInBoundsGetElementPtr(
        Type::getInt8Ty(Ctx), Bytes, i64(I.Bytes.size()));
    return record({text(I.T.name()), Bytes, End});
  }

  Constant *panicSite(const PanicSite &S) {
    return record({text(S.Message), text(S.File), i32(S.Line), i32(S.Column)});
  }

  Constant *panicRecords() {
    if (none_of(Program.Kernels,
                [](const DeviceKernel &K) { return K.CanPanic; }))
      return null();
    auto *T = ArrayType::get(Type::getInt8Ty(Ctx),
                             FERRY_PANIC_RECORDS * sizeof(ferry_panic_record));
    auto *G =
        new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                           Constant::getNullValue(T), "ferry.panic.records");
    G->setAlignment(Align(64));
    return G;
  }

  StructType *moduleType() {
    Type *I32 = Type::getInt32Ty(Ctx), *I64 = Type::getInt64Ty(Ctx), *P = ptr();
    return StructType::get(
        Ctx, {I32, I32, I32, I32, I64, P, P, P, P, P, P, I64, P, P, P, P});
  }

  void fillModule(ArrayRef<Image> Images) {
    SmallVector<Constant *> ImageRecords, Sites, PrintSites;
    for (const Image &I : Images)
      ImageRecords.push_back(image(I));
    for (const PanicSite &S : Program.Sites)
      Sites.push_back(panicSite(S));
    for (const PrintSite &S : Program.PrintSites)
      PrintSites.push_back(printSiteRecord(M, S));
    Constant *Records = panicRecords();
    ModuleRecord->setInitializer(record(
        {i32(FERRY_RECORD_VERSION), i32(ImageRecords.size()),
         i32(Kernels.size()), i32(Sites.size()), i64(Globals.size()),
         array("ferry.images", ImageRecords), array("ferry.kernels", Kernels),
         array("ferry.globals", Globals), array("ferry.sites", Sites), Records,
         Records->isNullValue() ? null() : text(Program.PanicSymbol),
         i64(PrintSites.size()), array("ferry.print.sites", PrintSites),
         PrintSites.empty() ? null() : text(Program.PrintSymbol), null(),
         null()}));
  }

  /// libferry hears of the module before any constructor of the program runs,
  /// since that may launch already, and until after the last destructor.
  void registerModule() {
    constexpr int Priority = 100;
    auto Caller = [&](const char *Name, const char *Callee) {
      auto *F = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), false),
                                 GlobalValue::InternalLinkage, Name, M);
      IRBuilder<> B(BasicBlock::Create(Ctx, "entry", F));
      B.CreateCall(M.getOrInsertFunction(Callee, Type::getVoidTy(Ctx), ptr()),
                   {ModuleRecord});
      B.CreateRetVoid();
      return F;
    };
    appendToGlobalCtors(M, Caller("ferry.register", "__ferry_register_module"),
                        Priority);
    appendToGlobalDtors(
        M, Caller("ferry.unregister", "__ferry_unregister_module"), Priority);
  }
};

/// Lowers one marker.
class LaunchLowering {
public:
  LaunchLowering(const Launch &L, const Kernel &K, CallInst &Call,
                 Constant *Site)
      : L(L), K(K), Call(Call), Site(Site), B(&Call),
        AllocaB(&*Call.getFunction()
                      ->getEntryBlock()
                      .getFirstNonPHIOrDbgOrAlloca()) {}

  void run() {
    Value *Shape = pack({L.Extent[0], L.Extent[1], L.Extent[2], L.Block[0],
                         L.Block[1], L.Block[2], L.SharedBytes, L.Device},
                        "ferry.shape");
    Value *Place =
        pack({L.File, L.FileLength, L.Line, L.Column}, "ferry.place");
    Value *Values = words(K.slots(), "ferry.values");
    Value *Bytes = words(K.slots(), "ferry.bytes");
    unsigned Slot = 0;
    for (auto [I, F] : enumerate(K.Fields)) {
      storeField(F, L.Values[I], L.Bytes[I], Values, Bytes, Slot);
      Slot += F.slots();
    }
    FunctionCallee Run = Call.getModule()->getOrInsertFunction(
        "__ferry_run", B.getInt32Ty(), B.getPtrTy(), B.getPtrTy(), B.getPtrTy(),
        B.getPtrTy(), B.getPtrTy());
    CallInst *Status = B.CreateCall(Run, {Site, Shape, Place, Values, Bytes});
    Status->setDoesNotThrow();
    Call.replaceAllUsesWith(Status);
    Call.eraseFromParent();
  }

private:
  const Launch &L;
  const Kernel &K;
  CallInst &Call;
  Constant *Site;
  IRBuilder<> B, AllocaB;

  AllocaInst *words(unsigned Count, const Twine &Name) {
    return AllocaB.CreateAlloca(
        ArrayType::get(B.getInt64Ty(), std::max(Count, 1u)), nullptr, Name);
  }

  Value *word(Value *Words, unsigned Index) {
    return B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Words, Index);
  }

  Value *pack(ArrayRef<Value *> Members, const Twine &Name) {
    AllocaInst *Words = words(Members.size(), Name);
    for (auto [I, V] : enumerate(Members))
      B.CreateStore(V, word(Words, I));
    return Words;
  }

  void storeField(const Field &F, Value *V, Value *Size, Value *Values,
                  Value *Bytes, unsigned Slot) {
    if (F.IsBuffer || F.isLarge()) {
      B.CreateStore(V, word(Values, Slot));
      B.CreateStore(Size, word(Bytes, Slot));
      return;
    }
    if (!F.slots())
      return;
    for (unsigned I = 0; I != F.slots(); ++I)
      B.CreateStore(B.getInt64(0), word(Bytes, Slot + I));
    if (F.Bytes % 8) // no stale stack in the padding
      B.CreateStore(B.getInt64(0), word(Values, Slot + F.slots() - 1));
    B.CreateMemCpy(word(Values, Slot), Align(8), V, Align(1), F.Bytes);
  }
};
} // namespace

static Error linkCpuCode(Module &M, const DeviceProgram &Program,
                         DeviceCode &Code) {
  std::vector<std::string> Entries;
  for (Function &F : *Code.Cpu)
    if (!F.isDeclaration() && F.getName().ends_with(".cpu"))
      Entries.push_back(F.getName().str());
  for (std::unique_ptr<Module> *Part : {&Code.Cpu, &Code.Checked}) {
    if (!*Part)
      continue;
    for (const char *Name : {"llvm.ident", "llvm.commandline",
                             "llvm.linker.options", "llvm.dependent-libraries"})
      if (NamedMDNode *MD = (*Part)->getNamedMetadata(Name))
        MD->eraseFromParent();
    if (Linker::linkModules(M, std::move(*Part)))
      return createStringError("cannot link the CPU code of the kernels into " +
                               M.getModuleIdentifier());
  }
  for (const std::string &Name : Entries)
    M.getFunction(Name)->setLinkage(GlobalValue::InternalLinkage);
  for (const SharedGlobal &G : Program.Globals)
    if (GlobalVariable *Declared = M.getNamedGlobal(G.Symbol)) {
      Declared->replaceAllUsesWith(G.Host);
      Declared->eraseFromParent();
    }
  return Error::success();
}

Error writeHost(Module &M, LaunchPlan &Plan, const DeviceProgram &Program,
                DeviceCode Code) {
  if (Code.Cpu)
    if (Error E = linkCpuCode(M, Program, Code))
      return E;
  RecordWriter Writer(M, Plan, Program);
  Writer.write(Code.Images, Code.Usages);

  SmallVector<Constant *> Sites(Plan.Kernels.size());
  for (Launch &L : Plan.Launches) {
    const Kernel &K = Plan.Kernels[L.KernelIndex];
    Constant *&Site = Sites[L.KernelIndex];
    if (!Site)
      Site = Writer.site(K, Writer.Kernels[L.KernelIndex]);
    // __ferry_run reports errors by value, so an invoke of the marker has no
    // use for its unwind edge.
    auto *Call = dyn_cast<CallInst>(L.Call);
    if (!Call)
      Call = changeToCall(cast<InvokeInst>(L.Call));
    LaunchLowering(L, K, *Call, Site).run();
  }

  // Nobody calls the shims any more; what they call need not reach the linker.
  for (Kernel &K : Plan.Kernels) {
    K.Shim->removeDeadConstantUsers();
    if (K.Shim->use_empty() && K.Shim->isDiscardableIfUnused() &&
        !K.Shim->isDeclaration())
      K.Shim->deleteBody(), K.Shim->setComdat(nullptr);
  }
  return Error::success();
}

} // namespace ferry
