//===- Machine.cpp - LLVM's code generators for our targets ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lower optimises with the target's cost model and Emit generates its code, so
// both ask here. Back ends report what they cannot do to the context's
// diagnostic handler and carry on, hence the collector. The one decision taken
// here is the PTX version: LLVM's default is the oldest one that knows the GPU,
// which every ptxas for that GPU reads. It is raised to 7.3 (CUDA 11.3), the
// first with all that LLVM may ask for.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/TargetParser.h"
#include <mutex>

using namespace llvm;

namespace ferry {

static void initializeTargets() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
  });
}

static Triple tripleOf(TargetKind Kind, const Triple &Host) {
  switch (Kind) {
  case TargetKind::Nvptx:
    return Triple("nvptx64-nvidia-cuda");
  case TargetKind::Amdgpu:
    return Triple("amdgcn-amd-amdhsa");
  case TargetKind::Cpu:
  case TargetKind::Virtual:
    break;
  }
  return Host;
}

/// "sm_90a" -> 90
static unsigned smVersion(StringRef Arch) {
  unsigned Version = 0;
  Arch.consume_front("sm_");
  Arch.consumeInteger(10, Version);
  return Version;
}

bool isKnownGpu(TargetKind Kind, StringRef Arch) {
  if (Kind == TargetKind::Amdgpu)
    return AMDGPU::parseArchAMDGCN(Arch) != AMDGPU::GK_NONE;
  if (Kind != TargetKind::Nvptx || !Arch.starts_with("sm_"))
    return false;
  initializeTargets();
  std::string Error;
  Triple TT = tripleOf(Kind, Triple());
  const llvm::Target *LlvmTarget = TargetRegistry::lookupTarget(TT, Error);
  if (!LlvmTarget)
    return false;
  std::unique_ptr<MCSubtargetInfo> Info(
      LlvmTarget->createMCSubtargetInfo(TT, "", ""));
  return Info && Info->isCPUStringValid(Arch);
}

Expected<std::unique_ptr<TargetMachine>> createMachine(const Target &T,
                                                       const Module &Host) {
  initializeTargets();
  Triple TT = tripleOf(T.Kind, Host.getTargetTriple());
  std::string Error;
  const llvm::Target *LlvmTarget = TargetRegistry::lookupTarget(TT, Error);
  if (!LlvmTarget)
    return createStringError("this LLVM cannot generate code for target '" +
                             T.name() + "': " + Error);
  StringRef Features;
  if (T.Kind == TargetKind::Nvptx && smVersion(T.Arch) < 87)
    Features = "+ptx73";
  std::unique_ptr<TargetMachine> Machine(LlvmTarget->createTargetMachine(
      TT, T.Arch, Features, TargetOptions(), Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
  if (!Machine)
    return createStringError("this LLVM cannot generate code for target '" +
                             T.name() + "'");
  return Machine;
}

namespace {
struct CollectingHandler final : DiagnosticHandler {
  explicit CollectingHandler(std::string &Errors) : Errors(Errors) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream Stream(Errors);
    if (!Errors.empty())
      Stream << '\n';
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    return true;
  }
  std::string &Errors;
};
} // namespace

ReportCollector::ReportCollector(LLVMContext &Context)
    : Context(Context), Outer(Context.getDiagnosticHandler()) {
  Context.setDiagnosticHandler(std::make_unique<CollectingHandler>(Errors));
}

ReportCollector::~ReportCollector() {
  // Whether the outer handler asked to have remarks filtered cannot be read
  // back. To filter is right for both: a handler that did not ask filters by
  // the same rules itself.
  Context.setDiagnosticHandler(std::move(Outer), /*RespectFilters=*/true);
}

Error ReportCollector::takeError() {
  if (Errors.empty())
    return Error::success();
  return createStringError(std::exchange(Errors, std::string()));
}

} // namespace ferry
