# How lit runs Ferry's tests. Every file of a known kind under this folder is a
# test; folders named Inputs and support hold what tests use.
#
#   %ferrycxx %cargo-ferry %ferry %ferry-ld   the built tools
#   %plugin %opt %clangxx                     the plugin, and LLVM's own programs
#   %include %runtime-include %libferry %rust-crate     what programs are built against
#   %run-everywhere %run-rust-everywhere      see support/
#
# FileCheck, not, split-file and the other LLVM tools are on PATH.
#
# Where there is a GPU, whole programs run on it too with
#   FERRY_TEST_TARGETS=native FERRY_TEST_DEVICES=cpu,virtual,gpu

import os
import shutil

import lit.formats

config.name = "Ferry"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".c", ".ll", ".rs", ".test"]
config.excludes = ["Inputs", "support", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)

build = config.ferry_build_dir
source = config.ferry_source_dir
support = os.path.join(config.test_source_root, "support")
bindir = os.path.join(build, "bin")

# The programs under test see Ferry's settings only where a test makes them.
environment = {k: v for k, v in os.environ.items() if k.startswith("FERRY_TEST_")}
for name in ("HOME", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "TMPDIR", "LANG",
             "CCACHE_DIR", "CUDA_HOME", "CUDA_PATH"):
    if name in os.environ:
        environment[name] = os.environ[name]
environment["PATH"] = os.pathsep.join([bindir, config.llvm_bindir, os.environ.get("PATH", "")])
# One cpu image and its twin for `virtual`, whatever GPU this machine has; tests
# of other targets say so.
environment["FERRY_TARGETS"] = os.environ.get("FERRY_TEST_TARGETS", "cpu")
# Memory of the virtual devices has a pattern where nothing was copied in.
environment["FERRY_CHECK"] = "coherence"
config.environment = environment


def tool(name):
    return os.path.join(bindir, name)


def llvm(name):
    return os.path.join(config.llvm_bindir, name)


# Long names first: lit replaces in this order, and %ferry is a prefix of others.
config.substitutions += [
    ("%run-rust-everywhere", f"{config.python} {support}/run-rust-everywhere.py"
                             f" --cargo-ferry {tool('cargo-ferry')}"
                             f" --crate {source}/frontends/rust/ferry"
                             f" --cache {config.test_exec_root}/rust"),
    ("%run-everywhere", f"{config.python} {support}/run-everywhere.py --compiler {tool('ferry-c++')}"),
    ("%compare-objects", f"{config.python} {support}/compare-objects.py"
                         f" --ferry {tool('ferry-c++')} --llvm {config.llvm_bindir}"),
    ("%check-trace", f"{config.python} {support}/check-trace.py"),
    ("%copies", f"{config.python} {support}/copies.py"),
    ("%runtime-include", os.path.join(source, "runtime", "include")),
    ("%include", os.path.join(source, "frontends", "cpp", "include")),
    ("%rust-crate", os.path.join(source, "frontends", "rust", "ferry")),
    ("%cargo-ferry", tool("cargo-ferry")),
    ("%ferrycxx", tool("ferry-c++")),
    ("%ferry-ld", tool("ferry-ld")),
    ("%ferry", tool("ferry")),
    ("%plugin", os.path.join(build, "lib", "FerryPlugin.so")),
    ("%libferry", os.path.join(build, "lib", "libferry.a")),
    ("%clangxx", llvm("clang++")),
    ("%clang", llvm("clang")),
    ("%opt", f"{llvm('opt')} -load-pass-plugin={build}/lib/FerryPlugin.so"),
    ("%llvm-bin", config.llvm_bindir),
    ("%cmake", config.cmake),
    ("%build", build),
    ("%source", source),
    ("%python", config.python),
    ("%support", support),
]

for program in ("cargo", "g++"):
    if shutil.which(program, path=environment["PATH"]):
        config.available_features.add(program)
if shutil.which("ptxas", path=environment["PATH"] + ":/usr/local/cuda/bin"):
    config.available_features.add("ptxas")
for program in ("chromium", "chromium-browser", "google-chrome"):
    if path := shutil.which(program, path=environment["PATH"]):
        config.available_features.add("chromium")
        config.substitutions.append(("%chromium", path))
        break
if os.path.exists("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"):
    config.available_features.add("libdevice")
if shutil.which("cuobjdump", path=environment["PATH"] + ":/usr/local/cuda/bin"):
    config.available_features.add("cuobjdump")
for name, feature, header in (("%openblas", "openblas", "cblas.h"), ("%cublas", "cublas", "cublas_v2.h")):
    for folder in ("/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu",
                   "/usr/local/cuda/include"):
        if os.path.exists(os.path.join(folder, header)):
            config.available_features.add(feature)
            config.substitutions.append((name, folder))
            break
if shutil.which("mpicxx", path=environment["PATH"]) and shutil.which("mpirun", path=environment["PATH"]):
    config.available_features.add("mpi")
if os.geteuid() == 0:
    config.available_features.add("root")
