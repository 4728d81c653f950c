//===- Merge.cpp ----------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that launches, or asks for derivatives, is linked in whole, and its
// own object file falls away. What its kernels and the functions that it
// differentiates call in other modules is imported as ThinLTO does it
// (LLVM's FunctionImport.cpp): the body comes along as available_externally,
// that is, for looking into only, and the module that owns it is compiled as
// ever. So a dependency's object does not change because a kernel calls into
// it, and stays in the cache.
//
// A local function or constant that an imported body names comes along as a
// copy. That would be wrong for a local variable that is written to, since the
// program must have one of it. The owner of such a variable is linked in whole
// too, if it is bitcode; if it is machine code, the body is not imported, and
// the pipeline refuses the call for want of a body.
//
//===----------------------------------------------------------------------===//

#include "Merge.h"
#include "Definitions.h"
#include "Messages.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AutoUpgrade.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// What a body needs
//===----------------------------------------------------------------------===//

/// Blocks from which every path ends in a panic. Devices report a panic without
/// running the code that formats its message, so little is fetched for it.
/// Unwinding does not count as a path: devices do not unwind.
static SmallPtrSet<const BasicBlock *, 8> panickingBlocks(const Function &F) {
  SmallPtrSet<const BasicBlock *, 8> Panicking;
  auto Goes = [&](const BasicBlock *BB) { return !Panicking.contains(BB); };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock &BB : reverse(F)) {
      if (!Goes(&BB))
        continue;
      const Instruction *End = BB.getTerminator();
      bool Doomed = false;
      if (isa<UnreachableInst, ResumeInst>(End))
        Doomed = true;
      else if (auto *Invoke = dyn_cast<InvokeInst>(End))
        Doomed = !Goes(Invoke->getNormalDest());
      else if (End->getNumSuccessors())
        Doomed = none_of(successors(&BB), Goes);
      if (Doomed || BB.isEHPad()) {
        Panicking.insert(&BB);
        Changed = true;
      }
    }
  }
  return Panicking;
}

static void collectGlobals(const Value *V, SetVector<GlobalValue *> &Out,
                           SmallPtrSetImpl<const Constant *> &Seen) {
  auto *C = dyn_cast<Constant>(V);
  if (!C || !Seen.insert(C).second)
    return;
  if (auto *G = dyn_cast<GlobalValue>(C)) {
    Out.insert(const_cast<GlobalValue *>(G));
    return;
  }
  for (const Use &U : C->operands())
    collectGlobals(U, Out, Seen);
}

namespace {
enum class Part { All, WithoutPanics, Calls };
} // namespace

/// What the pipeline looks for: `__ferry_launch`, and requests for derivatives,
/// whose names may be anything that contains this.
static bool isMarker(const Function &F) {
  return F.isDeclaration() &&
         (F.getName() == "__ferry_launch" || F.getName().contains("__enzyme_"));
}

/// The globals that a part of a definition names, in order.
static Expected<SetVector<GlobalValue *>> globalsNamedBy(GlobalValue &G,
                                                         Part Which) {
  if (Error E = G.materialize())
    return std::move(E);
  SetVector<GlobalValue *> Named;
  SmallPtrSet<const Constant *, 16> Seen;
  if (auto *F = dyn_cast<Function>(&G)) {
    SmallPtrSet<const BasicBlock *, 8> Panicking;
    if (Which == Part::WithoutPanics)
      Panicking = panickingBlocks(*F);
    for (const BasicBlock &BB : *F)
      if (!Panicking.contains(&BB))
        for (const Instruction &I : BB) {
          if (Which != Part::Calls) {
            for (const Use &U : I.operands())
              collectGlobals(U, Named, Seen);
          } else if (auto *Call = dyn_cast<CallBase>(&I)) {
            if (Function *Callee = Call->getCalledFunction())
              Named.insert(Callee);
          }
        }
  } else if (auto *Variable = dyn_cast<GlobalVariable>(&G)) {
    // What a variable holds at run time comes from the host.
    if (Variable->isConstant() && Variable->hasInitializer())
      collectGlobals(Variable->getInitializer(), Named, Seen);
  } else {
    for (const Use &U : G.operands())
      collectGlobals(U, Named, Seen);
  }
  return Named;
}

static bool isNeeded(const GlobalValue &G) {
  auto *F = dyn_cast<Function>(&G);
  return !F || !(F->isIntrinsic() || F->doesNotReturn() ||
                 F->getName().starts_with("__ferry_"));
}

/// Whether copies of all that is local to the module and named by `Root` can
/// stand for the originals.
static Expected<bool> isSelfContained(GlobalValue &Root) {
  SetVector<GlobalValue *> Reached;
  Reached.insert(&Root);
  for (unsigned I = 0; I != Reached.size(); ++I) {
    Expected<SetVector<GlobalValue *>> Named =
        globalsNamedBy(*Reached[I], Part::All);
    if (!Named)
      return Named.takeError();
    for (GlobalValue *G : *Named) {
      if (!G->hasLocalLinkage())
        continue;
      auto *Variable = dyn_cast<GlobalVariable>(G);
      if (Variable && !Variable->isConstant())
        return false;
      Reached.insert(G);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Importing
//===----------------------------------------------------------------------===//

namespace {
class Importer {
public:
  Importer(Module &Composite, std::vector<InputFile> &Files)
      : Composite(Composite), Definers(Files, Composite.getContext()) {}

  /// Decides what to import. Links in modules in whole where it must.
  Error decide();
  Error import();

private:
  /// True: a module was linked in whole, which may have replaced what the walk
  /// has seen, so walk again.
  Expected<bool> walk();
  Expected<bool> follow(Part Which, Definitions::Among Where);
  Expected<bool> visit(GlobalValue &G, Definitions::Among Where);
  Error linkWhole(LazySource &Source);

  Module &Composite;
  Definitions Definers;
  SetVector<GlobalValue *> Reached;
  MapVector<LazySource *, SetVector<GlobalValue *>> Wanted;
  /// Of variables that are defined elsewhere, by name. The pipeline goes by it.
  StringMap<std::string> Sections;
};
} // namespace

Error Importer::linkWhole(LazySource &Source) {
  verbose("merged " + Source.Input->Name);
  Source.Input->Merged = true;
  // The lazy module was read for importing, without parts that linking needs.
  auto M = parseBitcodeFile(Source.Input->Buffer, Composite.getContext());
  if (!M)
    return createFileError(Source.Input->Name, M.takeError());
  if (Linker::linkModules(Composite, std::move(*M)))
    return createStringError("cannot merge " + Source.Input->Name);
  return Error::success();
}

Expected<bool> Importer::visit(GlobalValue &G, Definitions::Among Where) {
  if (!isNeeded(G))
    return false;
  auto HasBody = [](const GlobalValue *V) {
    return V && !V->isDeclaration() && !V->hasLocalLinkage();
  };
  if (G.hasLocalLinkage() || (G.getParent() == &Composite && HasBody(&G))) {
    Reached.insert(&G);
    return false;
  }
  StringRef Name = G.getName();
  if (GlobalValue *Own = Composite.getNamedValue(Name); HasBody(Own)) {
    Reached.insert(Own);
    return false;
  }
  Expected<Definitions::Found> Found = Definers.find(Name, Where);
  if (!Found)
    return Found.takeError();
  if (!Found->Source || Found->Value->isInterposable())
    return false;
  Expected<bool> Copies = isSelfContained(*Found->Value);
  if (!Copies)
    return Copies.takeError();
  if (!*Copies) {
    if (!Found->Source->Input || Where == Definitions::Among::Bitcode)
      return false;
    if (Error E = linkWhole(*Found->Source))
      return std::move(E);
    return true;
  }
  // A variable that is written to is the host's; its address is enough.
  auto *Variable = dyn_cast<GlobalVariable>(Found->Value);
  if (Variable && !Variable->isConstant()) {
    if (Variable->hasSection())
      Sections[Name] = Variable->getSection();
    return false;
  }
  Wanted[Found->Source].insert(Found->Value);
  Reached.insert(Found->Value);
  return false;
}

Expected<bool> Importer::follow(Part Which, Definitions::Among Where) {
  for (unsigned I = 0; I != Reached.size(); ++I) {
    Expected<SetVector<GlobalValue *>> Named =
        globalsNamedBy(*Reached[I], Which);
    if (!Named)
      return Named.takeError();
    for (GlobalValue *G : *Named) {
      Expected<bool> Again = visit(*G, Where);
      if (!Again || *Again)
        return Again;
    }
  }
  return false;
}

/// Kernels of launches, and functions that are to be differentiated.
static SetVector<Function *> markedFunctions(Module &M) {
  SetVector<Function *> Marked;
  for (Function &Marker : M)
    if (isMarker(Marker))
      for (User *U : Marker.users())
        if (auto *Call = dyn_cast<CallBase>(U))
          for (Value *Operand : Call->args())
            if (auto *F = dyn_cast<Function>(Operand->stripPointerCasts()))
              Marked.insert(F);
  return Marked;
}

Expected<bool> Importer::walk() {
  using Among = Definitions::Among;
  Reached.clear();
  Wanted.clear();
  for (Function *Root : markedFunctions(Composite)) {
    Expected<bool> Again = visit(*Root, Among::All);
    if (!Again || *Again)
      return Again;
  }
  // First what the kernels run. A device reports a panic without formatting its
  // message, so nothing of that is fetched from the standard library. But the
  // small functions that gather its arguments, which unoptimised code calls,
  // must be seen into to know that they do nothing else.
  Expected<bool> Again = follow(Part::WithoutPanics, Among::All);
  if (!Again || *Again)
    return Again;
  return follow(Part::Calls, Among::Bitcode);
}

Error Importer::decide() {
  // Each round links in at least one more module, so this ends.
  for (;;) {
    Expected<bool> Again = walk();
    if (!Again)
      return Again.takeError();
    if (!*Again)
      return Error::success();
  }
}

/// An alias cannot be available_externally; a copy of what it stands for can.
static GlobalValue *withoutAlias(GlobalValue *G) {
  auto *Alias = dyn_cast<GlobalAlias>(G);
  if (!Alias)
    return G;
  auto *F = dyn_cast<Function>(Alias->getAliaseeObject());
  if (!F)
    return nullptr;
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(F, Map);
  Alias->replaceAllUsesWith(Copy);
  Copy->takeName(Alias);
  return Copy;
}

Error Importer::import() {
  IRMover Mover(Composite);
  for (auto &[Source, Values] : Wanted) {
    if (Error E = Source->M->materializeMetadata())
      return E;
    UpgradeDebugInfo(*Source->M);
    SetVector<GlobalValue *> Moved;
    for (GlobalValue *Value : Values) {
      if (Error E = Value->materialize())
        return E;
      if (auto *Alias = dyn_cast<GlobalAlias>(Value))
        if (GlobalObject *Object = Alias->getAliaseeObject())
          if (Error E = Object->materialize())
            return E;
      GlobalValue *Import = withoutAlias(Value);
      if (!Import)
        continue;
      verbose("imported " + Import->getName() + " from " +
              Source->M->getModuleIdentifier());
      Import->setLinkage(GlobalValue::AvailableExternallyLinkage);
      if (auto *Object = dyn_cast<GlobalObject>(Import))
        Object->setComdat(nullptr);
      Moved.insert(Import);
    }
    if (Error E = Mover.move(std::move(Source->M), Moved.getArrayRef(), nullptr,
                             /*IsPerformingImport=*/true))
      return E;
  }
  for (const auto &[Name, Section] : Sections)
    if (GlobalVariable *Variable = Composite.getGlobalVariable(Name);
        Variable && Variable->isDeclaration())
      Variable->setSection(Section);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The merged module
//===----------------------------------------------------------------------===//

static bool hasMarkers(const Module &M) {
  return any_of(
      M, [](const Function &F) { return isMarker(F) && !F.use_empty(); });
}

Expected<std::unique_ptr<Module>> mergeLaunches(std::vector<InputFile> &Files,
                                                LLVMContext &Context) {
  std::unique_ptr<Module> Composite;
  for (InputFile &File : Files)
    for (ObjectInput &Object : File.Objects) {
      if (!Object.MayLaunch)
        continue;
      auto M = parseBitcodeFile(Object.Buffer, Context);
      if (!M)
        return createFileError(Object.Name, M.takeError());
      if (!hasMarkers(**M))
        continue;
      verbose("merged " + Object.Name);
      Object.Merged = true;
      if (!Composite)
        Composite = std::move(*M);
      else if (Linker::linkModules(*Composite, std::move(*M)))
        return createStringError("cannot merge " + Object.Name);
    }
  if (!Composite)
    return nullptr;

  Importer Bodies(*Composite, Files);
  if (Error E = Bodies.decide())
    return std::move(E);
  if (Error E = Bodies.import())
    return std::move(E);
  return Composite;
}

} // namespace ferry
