# The front of the repository. CMake does the work; these targets first install
# what is missing (scripts/setup), so that nothing needs to be typed before them.

SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: setup build demo test test-math test-fuzz bench install clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# Recipes that use built tools or Rust start with it.
ENV := source scripts/env;

setup:
	@scripts/setup

# The tools, the plugin and libferry, in build/.
build: setup
	@cmake --preset release --log-level=NOTICE
	@cmake --build build -j $(JOBS)

# Two programs, C++ and Rust, on the CPU and on the virtual device.
demo: build
	@$(ENV) examples/demo

# Unit tests, IR tests and whole programs.
test: build
	@$(ENV) ctest --test-dir build --output-on-failure -j $(JOBS)

# Every float through every mathematical function of CPU kernels: an hour.
test-math: build
	@cmake --build build --target test-math

# Random kernels, 2,000 seeds, against a slow reference; random host programs, 2,000
# seeds, with copies and without; derivatives of random functions. FUZZ=--seeds=A-B tries others.
test-fuzz: build
	@$(ENV) tests/fuzz/run $(FUZZ) && tests/fuzz/coherence/run $(FUZZ) && \
	  tests/fuzz/autodiff/run $(FUZZ)

# Prints the machine, versions and a table of ratios; benchmarks/update writes
# the same into benchmarks/RESULTS.md.
bench: build
	@$(ENV) benchmarks/run

# PREFIX=/somewhere chooses the place.
install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build examples/rust/*/target
