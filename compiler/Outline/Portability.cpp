//===- Portability.cpp - What no device can run ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rule for all targets: a kernel that builds for the cpu builds for every
// GPU. So what only a host can do is refused even when the only target is cpu:
// calls without a body that no device library has, inline assembly, vendor
// intrinsics, thread-locals, variable arguments, types that devices lack.
// Each refusal names the user's line and the calls that lead to it.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Discover/Discover.h"
#include "Lower/Gpu/Gpu.h"
#include "Outline/Outline.h"
#include "Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace ferry {

namespace {
/// A family of host functions, by prefix of the linkage or demangled name.
struct HostService {
  StringRef Prefix;
  StringRef What;
  StringRef Advice;
};
} // namespace

static constexpr StringRef IoAdvice =
    "move the input or output out of the kernel";
static constexpr StringRef PrintAdvice =
    "print with ferry::print or, in Rust, gpu::print!";
static constexpr StringRef HeapAdvice =
    "use fixed-size arrays, or pass memory in as an argument";

static constexpr HostService HostServices[] = {
    {"printf", "which does input or output", PrintAdvice},
    {"fprintf", "which does input or output", PrintAdvice},
    {"vprintf", "which does input or output", PrintAdvice},
    {"puts", "which does input or output", PrintAdvice},
    {"putchar", "which does input or output", PrintAdvice},
    {"fputs", "which does input or output", PrintAdvice},
    {"fputc", "which does input or output", PrintAdvice},
    {"fopen", "which does input or output", IoAdvice},
    {"fwrite", "which does input or output", IoAdvice},
    {"fread", "which does input or output", IoAdvice},
    {"fclose", "which does input or output", IoAdvice},
    {"open", "which does input or output", IoAdvice},
    {"open64", "which does input or output", IoAdvice},
    {"openat", "which does input or output", IoAdvice},
    {"openat64", "which does input or output", IoAdvice},
    {"close", "which does input or output", IoAdvice},
    {"lseek64", "which does input or output", IoAdvice},
    {"fcntl", "which does input or output", IoAdvice},
    {"fcntl64", "which does input or output", IoAdvice},
    {"ioctl", "which does input or output", IoAdvice},
    {"stat64", "which does input or output", IoAdvice},
    {"statx", "which does input or output", IoAdvice},
    {"syscall", "which calls the operating system", IoAdvice},
    {"read", "which does input or output", IoAdvice},
    {"write", "which does input or output", IoAdvice},
    {"std::ostream", "which does input or output", IoAdvice},
    {"std::istream", "which does input or output", IoAdvice},
    {"std::basic_ostream", "which does input or output", IoAdvice},
    {"std::basic_istream", "which does input or output", IoAdvice},
    {"std::basic_ifstream", "which does input or output", IoAdvice},
    {"std::basic_ofstream", "which does input or output", IoAdvice},
    {"std::basic_fstream", "which does input or output", IoAdvice},
    {"std::basic_filebuf", "which does input or output", IoAdvice},
    {"std::basic_ios", "which does input or output", IoAdvice},
    {"std::ios_base", "which does input or output", IoAdvice},
    {"std::__basic_file", "which does input or output", IoAdvice},
    {"std::locale", "which does input or output", IoAdvice},
    {"std::io::", "which does input or output", IoAdvice},
    {"std::fs::", "which does input or output", IoAdvice},
    {"std::net::", "which does input or output", IoAdvice},
    {"std::os::", "which calls the operating system", IoAdvice},
    {"malloc", "which allocates memory", HeapAdvice},
    {"calloc", "which allocates memory", HeapAdvice},
    {"realloc", "which allocates memory", HeapAdvice},
    {"free", "which frees memory", HeapAdvice},
    {"posix_memalign", "which allocates memory", HeapAdvice},
    {"aligned_alloc", "which allocates memory", HeapAdvice},
    {"operator new", "which allocates memory", HeapAdvice},
    {"operator delete", "which frees memory", HeapAdvice},
    {"__rust_alloc", "which allocates memory", HeapAdvice},
    {"__rust_realloc", "which allocates memory", HeapAdvice},
    {"__rust_dealloc", "which frees memory", HeapAdvice},
    {"alloc::", "which allocates memory", HeapAdvice},
    {"__cxa_guard_", "which initialises a function-local static at run time",
     "make the static constexpr, or pass its value as an argument"},
    {"__atomic_", "which is an atomic of more than eight bytes",
     "use atomics of at most eight bytes"},
    {"__dynamic_cast", "which needs run-time type information",
     "use a virtual function instead"},
    {"__ferry_launch", "which launches a kernel from inside a kernel",
     "call the function directly"},
};

static const HostService *hostService(StringRef Linkage, StringRef Demangled) {
  for (const HostService &S : HostServices)
    if (Linkage == S.Prefix || Demangled == S.Prefix ||
        ((S.Prefix.contains(':') || S.Prefix.contains(' ') ||
          S.Prefix.starts_with("__") || S.Prefix.starts_with("std")) &&
         (Demangled.starts_with(S.Prefix) || Linkage.contains(S.Prefix))))
      return &S;
  // Rust's v0 names of trait methods start with "<".
  if (Linkage.starts_with("_R"))
    for (const HostService &S : HostServices)
      if (S.Prefix.contains("::") && Demangled.contains(S.Prefix))
        return &S;
  return nullptr;
}

static bool isUnportable(const Type *T) {
  if (T->isX86_FP80Ty() || T->isFP128Ty() || T->isPPC_FP128Ty() ||
      T->isX86_AMXTy())
    return true;
  return any_of(T->subtypes(), isUnportable);
}

/// Functions of the C and C++ libraries, which no -flto will find. Where the
/// declaration has debug info, its file tells; else LLVM's list of known ones,
/// and of the rest those that kernels are likely to try.
static bool isLibraryFunction(const Function &F) {
  static const StringSet<> Others = {"rand",
                                     "srand",
                                     "rand_r",
                                     "random",
                                     "drand48",
                                     "div",
                                     "ldiv",
                                     "lldiv",
                                     "strtok",
                                     "qsort",
                                     "bsearch",
                                     "time",
                                     "clock",
                                     "getenv",
                                     "system",
                                     "usleep",
                                     "sleep",
                                     "nanosleep",
                                     "getpid",
                                     "sched_yield",
                                     "clock_gettime",
                                     "strerror",
                                     "setlocale",
                                     "pthread_self",
                                     "pthread_create",
                                     "pthread_mutex_lock",
                                     "pthread_mutex_unlock",
                                     "__errno_location",
                                     "_setjmp",
                                     "longjmp"};
  if (const DISubprogram *SP = F.getSubprogram())
    return !isInUserFile(*SP);
  TargetLibraryInfoImpl Known(F.getParent()->getTargetTriple());
  LibFunc Func;
  return Known.getLibFunc(F.getName(), Func) || Others.contains(F.getName()) ||
         StringRef(userName(F.getName())).starts_with("std::");
}

static StringRef adviceForDefinition(const Module &M, bool WholeProgram) {
  if (WholeProgram)
    return "compile the library that defines it with the same Ferry build, or "
           "call something else";
  // What is left of -flto=thin in a module. Its link sees one file at a time.
  if (M.getModuleFlag("EnableSplitLTOUnit"))
    return "define it in a header, or compile and link all files with "
           "-flto=full instead of -flto=thin";
  return "define it in a header, or compile and link all files with -flto";
}

namespace {
class Checker {
public:
  Checker(const LaunchPlan &Plan, const DeviceProgram &Program,
          const Reach &Reached, bool WholeProgram)
      : Plan(Plan), Program(Program), Reached(Reached),
        Scope(WholeProgram ? "program's bitcode" : "file"),
        DefinitionAdvice(adviceForDefinition(*Program.M, WholeProgram)) {}

  bool run() {
    // A launch inside a kernel drags in much that would be refused as well.
    if (const Function *Launch = Program.M->getFunction("__ferry_launch"))
      for (const User *U : Launch->users())
        if (auto *Call = dyn_cast<CallBase>(U))
          checkBodiless(*Call, *Launch);
    if (Failed)
      return false;
    for (const Function &F : *Program.M)
      check(F);
    return !Failed;
  }

  /// Whether `F` and all that its code names are portable. Says nothing.
  bool accepts(const Function &F) {
    Silent = true;
    SetVector<const Function *> Named = namedBy({&F});
    for (const Function *G : Named)
      check(*G);
    Silent = false;
    return !std::exchange(Failed, false);
  }

  /// The functions that `Roots` and their callees name in their code, as
  /// opposed to in tables.
  static SetVector<const Function *> namedBy(ArrayRef<const Function *> Roots) {
    SetVector<const Function *> Named(Roots.begin(), Roots.end());
    for (unsigned I = 0; I != Named.size(); ++I)
      for (const Instruction &Inst : instructions(*Named[I]))
        for (const Use &U : Inst.operands())
          if (auto *F = dyn_cast<Function>(U->stripPointerCasts()))
            Named.insert(F);
    return Named;
  }

private:
  const LaunchPlan &Plan;
  const DeviceProgram &Program;
  const Reach &Reached;
  StringRef Scope, DefinitionAdvice;
  StringSet<> Said;
  bool Failed = false, Silent = false;

  /// The kernel whose code holds `I`: its own function, or the first that
  /// calls the function.
  const Kernel *kernelOf(const Function &F) {
    SetVector<const Value *> Queue; // functions, and constants that name them
    Queue.insert(&F);
    for (unsigned I = 0; I != Queue.size(); ++I) {
      for (const Kernel &K : Plan.Kernels)
        if (Queue[I]->getName() == K.Symbol)
          return &K;
      for (const User *U : Queue[I]->users())
        if (auto *Inst = dyn_cast<Instruction>(U))
          Queue.insert(Inst->getFunction());
        else
          Queue.insert(U);
    }
    return nullptr;
  }

  /// Whether `Name`, from debug info, is how the front end calls `K`.
  static bool names(StringRef Name, const Kernel &K) {
    StringRef Own = K.Name;
    return Name == K.Symbol || Name == Own ||
           Own.ends_with(("::" + Name).str()) ||
           (Name.starts_with("lambda at ") &&
            Own.starts_with((Name + ":").str()));
  }

  /// `Callee`: the host function that the chain should lead to, if any.
  void refuse(const Instruction &I, const Twine &What, const Twine &Advice,
              const Function *Callee = nullptr) {
    Failed = true;
    if (Silent)
      return;
    Diagnostic D;
    D.What = What.str();
    D.Advice = Advice.str();
    D.Where = userLocation(I.getDebugLoc());
    const Function &F = *I.getFunction();
    const Kernel *K = kernelOf(F);
    if (K)
      D.Kernel = K->Name;
    // A kernel without a body has no line of its own.
    if (K && !isInUserFile(I.getDebugLoc()))
      for (const Launch &L : Plan.Launches)
        if (&Plan.Kernels[L.KernelIndex] == K)
          D.Where = launchLocation(L);
    D.Chain = inliningChain(I.getDebugLoc());
    if (D.Chain.empty() && Callee) {
      D.Chain = Reached.chainTo(Callee->getName());
      if (!D.Chain.empty())
        D.Chain.pop_back(); // the callee is named already
    }
    if (K && D.Chain.empty() && F.getName() != K->Symbol)
      D.Chain.push_back(userName(F.getName()));
    if (K && !D.Chain.empty() && names(D.Chain.front(), *K))
      D.Chain.front() = K->Name;
    else if (K && !D.Chain.empty())
      D.Chain.insert(D.Chain.begin(), K->Name);
    // One line of the user's can hold a whole stream's worth of mistakes.
    std::string Place = D.Where ? D.Kernel + ":" +
                                      std::to_string(D.Where.getLine()) + ":" +
                                      std::to_string(D.Where.getCol())
                                : render(D);
    if (Said.insert(Place).second)
      report(D, F);
  }

  uint64_t accessedBytes(const Instruction &I) {
    Type *T = I.getType();
    if (auto *Store = dyn_cast<StoreInst>(&I))
      T = Store->getValueOperand()->getType();
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      T = Exchange->getNewValOperand()->getType();
    return T->isSized()
               ? Program.M->getDataLayout().getTypeStoreSize(T).getFixedValue()
               : 0;
  }

  void check(const Function &F) {
    for (const Instruction &I : instructions(F))
      check(I);
  }

  void check(const Instruction &I) {
    if (isUnportable(I.getType()) || any_of(I.operands(), [](const Use &U) {
          return isUnportable(U->getType());
        }))
      return refuse(I, "uses long double or another type that devices lack",
                    "use double");
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && isUnportable(Alloca->getAllocatedType()))
      return refuse(I, "uses long double or another type that devices lack",
                    "use double");
    if (isa<VAArgInst>(I))
      return refuse(I, "reads variable arguments",
                    "pass them as a struct or a parameter pack");
    if (I.isAtomic() && accessedBytes(I) > 8)
      return refuse(I, "has an atomic of more than eight bytes",
                    "use atomics of at most eight bytes");
    checkGlobals(I);
    if (auto *Call = dyn_cast<CallBase>(&I))
      checkCall(*Call);
  }

  /// For what only a block of the user's own shape can do.
  void checkShape(const Instruction &I, const Twine &What) {
    const Kernel *K = kernelOf(*I.getFunction());
    if (K && K->LaunchShape == Shape::Over)
      refuse(I, What + ", and over(...) has no blocks of its own",
             "launch it with blocks(...).threads(...)");
  }

  /// For what must be seen in the kernel's own code. `Advice`: what to do there
  /// instead.
  void checkBlockCode(const Instruction &I, StringRef What, StringRef Advice) {
    const Kernel *K = kernelOf(*I.getFunction());
    if (K && I.getFunction()->getName() != K->Symbol)
      return refuse(I,
                    What + " in a function that cannot be inlined, since it is "
                           "recursive or called through a pointer",
                    Advice + " in the kernel itself or in functions that it "
                             "calls directly");
    checkShape(I, What);
  }

  void checkCollective(const CallBase &Call, Collective C) {
    if (C == Collective::SyncThreads)
      checkBlockCode(Call, "waits for the other threads of its block", "wait");
    else
      checkBlockCode(Call, "asks the other threads of its warp", "ask");
  }

  void checkGlobals(const Instruction &I) {
    for (const Use &U : I.operands()) {
      auto *G = dyn_cast<GlobalVariable>(U->stripPointerCasts());
      if (G && G->isThreadLocal())
        return refuse(I,
                      "uses the thread-local variable '" +
                          userName(G->getName()) + "'",
                      "pass its value as an argument");
      if (G && isSharedDeclaration(*G)) {
        checkBlockCode(I, "uses a block's shared memory", "ask for it");
        continue;
      }
      if (G && !G->hasInitializer())
        return refuse(I,
                      "uses " + userName(G->getName()) +
                          ", whose definition is not in this " + Scope,
                      DefinitionAdvice);
    }
  }

  void checkCall(const CallBase &Call) {
    if (Call.isInlineAsm())
      return refuse(Call, "contains inline assembly",
                    "write the operation in the source language");
    const Function *Callee = calledFunction(Call);
    if (!Callee)
      return;
    if (Callee->isIntrinsic())
      return checkIntrinsic(Call, *Callee);
    if (!Callee->isDeclaration())
      return;
    checkBodiless(Call, *Callee);
  }

  void checkIntrinsic(const CallBase &Call, const Function &Callee) {
    StringRef Name = Callee.getName();
    switch (Callee.getIntrinsicID()) {
    case Intrinsic::vastart:
    case Intrinsic::vaend:
    case Intrinsic::vacopy:
      return refuse(Call, "reads variable arguments",
                    "pass them as a struct or a parameter pack");
    case Intrinsic::eh_typeid_for:
    case Intrinsic::coro_begin:
      return refuse(Call, "needs host support for exceptions or coroutines",
                    "use plain control flow");
    default:
      break;
    }
    for (StringRef Vendor :
         {"llvm.x86.", "llvm.aarch64.", "llvm.arm.", "llvm.riscv."})
      if (Name.starts_with(Vendor))
        return refuse(Call, "uses the processor-specific intrinsic " + Name,
                      "write the operation in the source language");
  }

  void checkBodiless(const CallBase &Call, const Function &Callee) {
    StringRef Name = Callee.getName();
    if (Name == "__ferry_catch_handler")
      return refuse(Call, "has a catch handler that can be reached",
                    "devices have no exceptions: return an error value");
    if (std::optional<Collective> C = collectiveFor(Callee))
      return checkCollective(Call, *C);
    if (Name == "__ferry_shared")
      return refuse(Call,
                    "asks for shared memory whose place or size is not known "
                    "when it is compiled",
                    "call shared() in the kernel or in a function that can be "
                    "inlined");
    if (Name == "__ferry_print")
      return refuse(Call, printProblem(Call),
                    "write the format as a literal that fits its values");
    if (Name.starts_with("__ferry_") && Name != "__ferry_launch")
      return;
    if (isDeviceFunction(Callee))
      return; // Lower links it in
    std::string Demangled = userName(Name);
    if (const HostService *S = hostService(Name, Demangled))
      return refuse(Call, "calls " + Demangled + ", " + S->What, S->Advice,
                    &Callee);
    if (Callee.isVarArg())
      return refuse(Call, "calls the variadic function " + Demangled,
                    "pass a fixed number of arguments", &Callee);
    if (isLibraryFunction(Callee))
      return refuse(Call,
                    "calls " + Demangled +
                        ", a library function that devices do not have",
                    "write it out, or call it before the launch", &Callee);
    refuse(Call, "calls " + Demangled + ", whose body is not in this " + Scope,
           DefinitionAdvice, &Callee);
  }
};
} // namespace

/// Functions that stand in the initialisers of constants.
static SetVector<Function *> tableEntries(Module &M) {
  SetVector<Function *> Entries;
  SmallVector<const Constant *> Queue;
  SmallPtrSet<const Constant *, 32> Seen;
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer())
      Queue.push_back(G.getInitializer());
  while (!Queue.empty()) {
    const Constant *C = Queue.pop_back_val();
    if (!Seen.insert(C).second)
      continue;
    if (auto *F = dyn_cast<Function>(C))
      Entries.insert(const_cast<Function *>(F));
    else if (!isa<GlobalValue>(C))
      for (const Use &U : C->operands())
        Queue.push_back(cast<Constant>(U));
  }
  return Entries;
}

static void makeStub(DeviceProgram &Program, Function &F) {
  PanicSite Site;
  Site.Message =
      "called " + userName(F.getName()) + ", which cannot run on a device";
  F.deleteBody();
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setAttributes({});
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", &F));
  Value *Zero = B.getInt64(0);
  B.CreateCall(panicFunction(*Program.M),
               {B.getInt32(siteIndex(Program, Site)), Zero, Zero, Zero, Zero});
  B.CreateUnreachable();
}

void stubUnportableTargets(const LaunchPlan &Plan, DeviceProgram &Program,
                           const Reach &Reached) {
  SmallVector<const Function *> Kernels;
  for (const DeviceKernel &K : Program.Kernels)
    Kernels.push_back(Program.M->getFunction(K.Symbol));
  SetVector<const Function *> Called = Checker::namedBy(Kernels);
  Checker Judge(Plan, Program, Reached, false);
  bool Stubbed = false;
  for (Function *F : tableEntries(*Program.M))
    if (!Called.contains(F) && (F->isDeclaration() || !Judge.accepts(*F))) {
      makeStub(Program, *F);
      Stubbed = true;
    }
  if (!Stubbed)
    return;
  PassBuilder PB;
  ModulePassManager Passes;
  Passes.addPass(GlobalDCEPass());
  runPasses(*Program.M, Passes, PB);
}

bool checkPortability(const LaunchPlan &Plan, const DeviceProgram &Program,
                      const Reach &Reached, bool WholeProgram) {
  return Checker(Plan, Program, Reached, WholeProgram).run();
}

} // namespace ferry
