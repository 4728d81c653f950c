//===- Diagnostics.cpp - Errors for the person who wrote the kernel -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All refusals leave through report(). It uses LLVM's DiagnosticInfoUnsupported
// because clang turns exactly that kind into one of its own errors, with the
// user's source line and a caret; lld and opt print it as one line.
//
// Kernels are judged after inlining, so the place of an instruction is a chain
// of inlined calls. The user's line is the innermost link of the chain that
// lies in a file of theirs.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ferry {

std::string render(const Diagnostic &D) {
  std::string Text;
  if (!D.Kernel.empty())
    Text = "kernel '" + D.Kernel + "' cannot run on a device: ";
  Text += D.What;
  if (D.Chain.size() > 1)
    Text += " (" + join(D.Chain, " → ") + ")";
  if (!D.Advice.empty())
    Text += "; " + D.Advice;
  if (!D.Where)
    Text += " (compile with -g to see the line)";
  return Text;
}

void report(const Diagnostic &D, const Function &In) {
  // The Twine inside the diagnostic only refers to the text.
  std::string Text = render(D);
  In.getContext().diagnose(DiagnosticInfoUnsupported(
      In, Text, D.Where, D.IsWarning ? DS_Warning : DS_Error));
}

static bool isUserFile(StringRef Directory, StringRef File) {
  SmallString<256> Path(File);
  if (sys::path::is_relative(Path)) {
    Path = Directory;
    sys::path::append(Path, File);
  }
  StringRef P = Path;
  return !P.starts_with("/usr/") && !P.starts_with("/rustc/") &&
         !P.contains("/rustlib/") && !P.contains("/ferry/ferry.h") &&
         !P.contains("/include/ferry/") && !P.contains("/rust/ferry/src/");
}

static const DILocation *findUserLocation(const DebugLoc &Loc) {
  for (const DILocation *L = Loc.get(); L; L = L->getInlinedAt())
    if (L->getLine() && isUserFile(L->getDirectory(), L->getFilename()))
      return L;
  return nullptr;
}

DebugLoc userLocation(const DebugLoc &Loc) {
  const DILocation *Found = findUserLocation(Loc);
  return Found ? DebugLoc(Found) : Loc;
}

std::string fileName(const DILocation &Loc) {
  StringRef File = Loc.getFilename(), Directory = Loc.getDirectory();
  const DISubprogram *SP = Loc.getScope()->getSubprogram();
  if (sys::path::is_absolute(File) || !SP || !SP->getUnit() ||
      SP->getUnit()->getDirectory() == Directory)
    return File.str();
  SmallString<256> Path(Directory);
  sys::path::append(Path, File);
  return Path.str().str();
}

bool isInUserFile(const DebugLoc &Loc) { return findUserLocation(Loc); }

bool isInUserFile(const DISubprogram &SP) {
  return isUserFile(SP.getDirectory(), SP.getFilename());
}

/// Cuts template arguments' contents no further, only parameters and results:
/// "void ns::f<float>(int)" becomes "ns::f<float>".
static std::string withoutSignature(StringRef Name) {
  int Depth = 0;
  size_t Start = 0, End = Name.size();
  for (size_t I = 0; I != Name.size(); ++I) {
    char C = Name[I];
    if (C == '<')
      ++Depth;
    else if (C == '>' && (I == 0 || Name[I - 1] != '-'))
      --Depth;
    else if (C == ' ' && Depth == 0 && !Name.substr(0, I).ends_with("operator"))
      Start = I + 1;
    else if (C == '(' && Depth == 0) {
      if (Name.substr(0, I).ends_with("operator")) {
        ++I; // operator()
        continue;
      }
      if (Name.substr(I).starts_with("(anonymous namespace)")) {
        I += StringRef("(anonymous namespace)").size() - 1;
        continue;
      }
      End = I;
      break;
    }
  }
  return Name.slice(Start, End).str();
}

/// Rust's legacy mangling writes punctuation as "$LT$" and "::" as "..".
static std::string withoutRustEscapes(StringRef Name) {
  static constexpr std::pair<StringRef, StringRef> Escapes[] = {
      {"$LT$", "<"},  {"$GT$", ">"},  {"$RF$", "&"},  {"$BP$", "*"},
      {"$LP$", "("},  {"$RP$", ")"},  {"$C$", ","},   {"$u20$", " "},
      {"$u27$", "'"}, {"$u5b$", "["}, {"$u5d$", "]"}, {"$u7b$", "{"},
      {"$u7d$", "}"}, {"$u7e$", "~"}, {"$u2b$", "+"}, {"$u3b$", ";"},
      {"..", "::"},   {"_$", "$"}};
  std::string Plain;
  while (!Name.empty()) {
    const auto *Found =
        find_if(Escapes, [&](auto &E) { return Name.starts_with(E.first); });
    if (Found == std::end(Escapes)) {
      Plain += Name.front();
      Name = Name.drop_front();
    } else if (Found->second == "$") {
      Name =
          Name.drop_front(); // an escape that starts a name has "_" before it
    } else {
      Plain += Found->second;
      Name = Name.drop_front(Found->first.size());
    }
  }
  return Plain;
}

std::string userName(StringRef LinkageName) {
  std::string Demangled = demangle(LinkageName);
  if (Demangled == LinkageName)
    return Demangled;
  if (LinkageName.starts_with("_R"))
    return Demangled;
  // Rust's legacy mangling ends in "::h" and sixteen hexadecimal digits.
  StringRef D = Demangled;
  auto [Path, Hash] = D.rsplit("::");
  if (Hash.size() == 17 && Hash.front() == 'h' &&
      all_of(Hash.drop_front(), isHexDigit))
    return withoutRustEscapes(Path);
  return withoutSignature(D);
}

bool isPlumbing(StringRef Demangled) {
  for (StringRef Prefix :
       {"ferry::", "<ferry::", "core::ops::function",
        "<F as ferry::", "std::__invoke", "std::invoke", "std::apply",
        "std::__apply", "decltype(auto) std::", "<fn(", "__ferry"})
    if (Demangled.starts_with(Prefix))
      return true;
  return Demangled.contains(" ferry::") ||
         Demangled.contains(" as core::ops::function::");
}

/// A lambda is known by its place: its mangled name says nothing to anybody.
static std::string callName(const DISubprogram &SP) {
  StringRef Linkage =
      SP.getLinkageName().empty() ? SP.getName() : SP.getLinkageName();
  if (SP.getName().starts_with("operator()") &&
      (Linkage.contains("$_") || Linkage.contains("Ul")))
    return ("lambda at " + sys::path::filename(SP.getFilename()) + ":" +
            Twine(SP.getLine()))
        .str();
  return userName(Linkage);
}

std::vector<std::string> inliningChain(const DebugLoc &Loc) {
  SmallVector<const DISubprogram *> Calls; // innermost first
  for (const DILocation *L = Loc.get(); L; L = L->getInlinedAt())
    if (const DISubprogram *SP = L->getScope()->getSubprogram())
      Calls.push_back(SP);
  std::vector<std::string> Chain;
  for (const DISubprogram *SP : reverse(Calls)) {
    if (SP->isArtificial() || SP->getName().starts_with("__ferry"))
      continue;
    std::string Name = callName(*SP);
    if (isPlumbing(Name))
      continue;
    bool User = isInUserFile(*SP);
    if (User || !Chain.empty())
      Chain.push_back(Name);
    // How a library goes about it is its own affair.
    if (!User && !Chain.empty())
      break;
  }
  return Chain;
}

} // namespace ferry
