//===- Doctor.cpp - ferry doctor ------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of checks. Each looks at one thing, by using it where that is cheap:
// a library is loaded, a compiler is asked its version, the plugin compiles a
// program. One that fails says what command mends it. What C++ on the cpu
// device needs decides about the exit code; the rest opens up more devices or
// Rust.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Run.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <optional>
#include <regex>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ferry {

namespace {
enum class State { Ok, Missing, Wrong };

struct Finding {
  State What = State::Ok;
  std::string Detail; ///< a version, a path, or what went wrong
};

struct Check {
  const char *Name;
  const char *Purpose; ///< what does not work without it
  const char *Mend;    ///< a command, or what to do
  std::function<Finding()> Look;
  bool Required = false; ///< by C++ on the cpu device
};
} // namespace

static std::string firstLine(const std::string &Text) {
  return Text.substr(0, Text.find('\n'));
}

/// What `Pattern`'s group matches in `Text`.
static std::string matched(const std::string &Text, const char *Pattern) {
  std::smatch Match;
  return std::regex_search(Text, Match, std::regex(Pattern)) ? Match[1].str()
                                                             : "";
}

/// The number that `Text` starts with; 0: none.
static long leadingNumber(const std::string &Text) {
  return std::strtol(Text.c_str(), nullptr, 10);
}

//===----------------------------------------------------------------------===//
// Compilers and tools
//===----------------------------------------------------------------------===//

/// A program of LLVM's by its path, where Ferry was built to use it, else by
/// its name with the version in PATH.
static fs::path findLlvmTool(const std::string &Name) {
  fs::path Known = fs::path(FERRY_LLVM_BINDIR) / Name;
  if (fs::exists(Known))
    return Known;
  return findInPath(Name + "-" + std::to_string(FERRY_LLVM_MAJOR));
}

static Finding lookAtLlvmTool(const std::string &Name) {
  fs::path Tool = findLlvmTool(Name);
  if (Tool.empty())
    return {State::Missing, "not in " FERRY_LLVM_BINDIR " or PATH"};
  RunResult Result = run({Tool, "--version"});
  std::string Version =
      matched(Result.Output, "(?:version|LLD) ([0-9]+\\.[0-9]+\\.[0-9]+)");
  if (Result.Code != 0)
    return {State::Wrong, Tool.string() + ": " + firstLine(Result.Output)};
  if (leadingNumber(Version) != FERRY_LLVM_MAJOR)
    return {State::Wrong,
            fmt::format("{} is version {}", Tool.string(), Version)};
  return {State::Ok, Version};
}

static Finding lookAtPtxas() {
  for (const fs::path &Tool :
       {findInPath("ptxas"), fs::path("/usr/local/cuda/bin/ptxas")})
    if (!Tool.empty() && fs::exists(Tool)) {
      RunResult Result = run({Tool, "--version"});
      std::string Version = matched(Result.Output, "release ([0-9]+\\.[0-9]+)");
      if (Result.Code != 0 || Version.empty())
        return {State::Wrong, Tool.string() + ": " + firstLine(Result.Output)};
      return {State::Ok, Version + " (" + Tool.string() + ")"};
    }
  return {State::Missing, "not in PATH or /usr/local/cuda/bin"};
}

static Finding lookAtRustc() {
  if (findInPath("rustc").empty())
    return {State::Missing, "not in PATH"};
  RunResult Result = run({"rustc", "-vV"});
  if (Result.Code != 0)
    return {State::Wrong, firstLine(Result.Output)};
  std::string Release = matched(Result.Output, "release: (\\S+)");
  std::string Llvm = matched(Result.Output, "LLVM version: (\\S+)");
  std::string Detail = fmt::format("{} with LLVM {}", Release, Llvm);
  long Minor = leadingNumber(matched(Release, "^1\\.([0-9]+)"));
  if (leadingNumber(Llvm) > FERRY_LLVM_MAJOR)
    return {State::Wrong, fmt::format("{}; Ferry reads LLVM {} and older",
                                      Detail, FERRY_LLVM_MAJOR)};
  if (Minor < 95)
    return {State::Wrong, Detail + "; the crate needs Rust 1.95 or newer"};
  return {State::Ok, Detail};
}

static Finding lookAtCargo() {
  if (findInPath("cargo").empty())
    return {State::Missing, "not in PATH"};
  RunResult Result = run({"cargo", "--version"});
  return {Result.Code == 0 ? State::Ok : State::Wrong,
          firstLine(Result.Output)};
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// The file that loading `Names` gives: by the dynamic linker's own search, or
/// from LLVM's directory.
static Finding lookAtLibrary(const std::vector<std::string> &Names) {
  std::string Trouble;
  for (const std::string &Name : Names)
    for (const std::string &Path : {Name, FERRY_LLVM_LIBDIR "/" + Name}) {
      if (void *Library = dlopen(Path.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
        dlclose(Library);
        return {State::Ok, Path};
      }
      // One that is there and does not load is not missing.
      std::string Message = dlerror();
      if (Message.find("No such file") == std::string::npos)
        Trouble = Message;
    }
  if (!Trouble.empty())
    return {State::Wrong, Trouble};
  return {State::Missing, Names.front() + " is not on the library path or in " +
                              FERRY_LLVM_LIBDIR};
}

static Finding lookAtLibclc() {
  for (const char *File : {"nvptx64--.bc", "amdgcn-amd-amdhsa.bc"}) {
    fs::path Path = fs::path(FERRY_LIBCLC_DIR) / File;
    if (!fs::exists(Path))
      return {State::Missing, Path.string() + " is not there"};
  }
  return {State::Ok, FERRY_LIBCLC_DIR};
}

static Finding lookAtNvidiaDriver() {
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Driver)
    return {State::Missing, "libcuda.so.1 is not on the library path"};
  auto Init = reinterpret_cast<int (*)(unsigned)>(dlsym(Driver, "cuInit"));
  auto Version =
      reinterpret_cast<int (*)(int *)>(dlsym(Driver, "cuDriverGetVersion"));
  int Number = 0;
  if (!Init || !Version || Version(&Number))
    return {State::Wrong, "libcuda.so.1 is not CUDA's driver"};
  if (int Error = Init(0))
    return {State::Wrong, fmt::format("cuInit fails with error {}{}", Error,
                                      Error == 100 ? " (no GPU)" : "")};
  return {State::Ok,
          fmt::format("CUDA {}.{}", Number / 1000, Number % 1000 / 10)};
}

//===----------------------------------------------------------------------===//
// Ferry itself
//===----------------------------------------------------------------------===//

static fs::path findOwnLibrary(const std::string &Name) {
  for (const char *Directory : {"lib", FERRY_INSTALL_LIBDIR})
    if (fs::path File = installation() / Directory / Name; fs::exists(File))
      return File;
  return {};
}

static Finding lookAtPlugin() {
  fs::path Plugin = findOwnLibrary("FerryPlugin.so");
  if (Plugin.empty())
    return {State::Missing, "not in " + (installation() / "lib").string()};
  fs::path Clang = findLlvmTool("clang++");
  if (Clang.empty())
    return {State::Wrong, "there is no clang to load it"};
  ScratchDirectory Scratch("ferry-doctor");
  fs::path Source = Scratch.Path / "probe.cpp";
  std::ofstream(Source) << "int twice(int X) {\n  return 2 * X;\n}\n";
  RunResult Result = run({Clang, "-O1", "-fpass-plugin=" + Plugin.string(),
                          "-c", Source, "-o", Scratch.Path / "probe.o"});
  if (Result.Code != 0)
    return {State::Wrong,
            "clang does not load it: " + firstLine(Result.Output)};
  return {State::Ok, Plugin};
}

static Finding lookAtCpuDevice() {
  fs::path Driver = installation() / "bin" / "ferry-c++";
  if (!fs::exists(Driver))
    return {State::Missing, Driver.string() + " is not there"};
  ScratchDirectory Scratch("ferry-doctor");
  fs::path Source = Scratch.Path / "probe.cpp",
           Program = Scratch.Path / "probe";
  std::ofstream(Source) << R"(#include <ferry/ferry.h>
static void fill(std::span<int> A) { A[ferry::global_id()] = 7; }
int main() {
  int A[8] = {};
  auto Status = ferry::try_launch<fill>(ferry::over(8), A);
  return Status && A[0] == 7 && A[7] == 7 ? 0 : 1;
}
)";
  RunResult Compile =
      run({Driver, "-O1", Source, "-o", Program}, {"FERRY_TARGETS=cpu"});
  if (Compile.Code != 0)
    return {State::Wrong, "ferry-c++ fails: " + firstLine(Compile.Output)};
  RunResult Run = run({Program}, {"FERRY_DEVICE=cpu"});
  if (Run.Code != 0)
    return {State::Wrong, "a compiled program fails: " + firstLine(Run.Output)};
  return {State::Ok, "compiled and ran a kernel"};
}

static Finding lookAtCargoFerry() {
  fs::path Own = installation() / "bin" / "cargo-ferry";
  fs::path InPath = findInPath("cargo-ferry");
  if (InPath.empty())
    return {State::Missing, "not in PATH"};
  if (fs::exists(Own) && !fs::equivalent(Own, InPath))
    return {State::Wrong, InPath.string() + " comes first in PATH and belongs "
                                            "to another installation"};
  return {State::Ok, InPath};
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static std::vector<Check> checks() {
  static const std::string AddToPath =
      "export PATH=" + (installation() / "bin").string() + ":$PATH";
  return {
      {"clang-22", "C++ does not compile", "apt install clang-22",
       [] { return lookAtLlvmTool("clang++"); }, true},
      {"lld-22", "no code for the virtual device and AMD GPUs",
       "apt install lld-22", [] { return lookAtLlvmTool("ld.lld"); }, true},
      {"libLLVM", "nothing compiles", "apt install libllvm22",
       [] { return lookAtLibrary({"libLLVM.so.22.1"}); }, true},
      {"FerryPlugin.so", "nothing compiles",
       "build and install Ferry again (make build)", lookAtPlugin, true},
      {"cpu device", "no program runs",
       "mend what is listed above, then build and install Ferry again "
       "(make build)",
       lookAtCpuDevice, true},
      {"libomptarget", "no virtual device, no GPU", "apt install liboffload-22",
       [] { return lookAtLibrary({"libomptarget.so.22.1"}); }},
      {"libomp", "no virtual device, no GPU", "apt install libomp-22-dev",
       [] { return lookAtLibrary({"libomp.so.5", "libomp.so"}); }},
      {"libclc", "no math functions on GPUs", "apt install libclc-22",
       lookAtLibclc},
      {"ptxas", "NVIDIA code is finished at run time, which needs it there",
       "apt install nvidia-cuda-toolkit (Debian's non-free component), or "
       "NVIDIA's own CUDA toolkit",
       lookAtPtxas},
      {"NVIDIA driver", "no NVIDIA GPU",
       "on a machine with such a GPU: apt install nvidia-driver (Debian's "
       "non-free component)",
       lookAtNvidiaDriver},
      {"AMD driver", "no AMD GPU",
       "on a machine with such a GPU: apt install libhsa-runtime64-1",
       [] {
         return lookAtLibrary({"libhsa-runtime64.so.1", "libhsa-runtime64.so"});
       }},
      {"rustc", "no Rust",
       "rustup toolchain install 1.95 && rustup default 1.95, or apt install "
       "rustc-web",
       lookAtRustc},
      {"cargo", "no Rust",
       "rustup toolchain install 1.95 && rustup default 1.95, or apt install "
       "cargo-web",
       lookAtCargo},
      {"cargo-ferry", "no `cargo ferry`", AddToPath.c_str(), lookAtCargoFerry},
  };
}

int examine() {
  bool Works = true;
  for (const Check &C : checks()) {
    Finding F = C.Look();
    static constexpr const char *Words[] = {"ok", "missing", "wrong"};
    fmt::print("{:<8} {:<15} {}\n", Words[int(F.What)], C.Name, F.Detail);
    if (F.What == State::Ok)
      continue;
    fmt::print("{:24} without it: {}\n{:24} to mend it: {}\n", "", C.Purpose,
               "", C.Mend);
    Works &= !C.Required;
  }
  fmt::print("{}\n", Works ? "C++ and the cpu device work."
                           : "C++ or the cpu device do not work.");
  return Works ? 0 : 1;
}

} // namespace ferry
