//===- RuntimeRecordsTest.cpp - The layout of the records -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin writes these records as LLVM constants, so their layout is part of
// the contract.
//
//===----------------------------------------------------------------------===//

#include "Omptarget.h"
#include "ferry/runtime.h"
#include <cstddef>

#define AT(TYPE, FIELD, OFFSET) static_assert(offsetof(TYPE, FIELD) == (OFFSET))

static_assert(sizeof(ferry_panic_record) == 64);
AT(ferry_panic_record, state, 0);
AT(ferry_panic_record, site, 4);
AT(ferry_panic_record, block, 8);
AT(ferry_panic_record, thread, 20);
AT(ferry_panic_record, values, 32);

static_assert(sizeof(ferry_panic_site) == 24);
AT(ferry_panic_site, line, 16);
AT(ferry_panic_site, column, 20);

static_assert(sizeof(ferry_geometry) == 72);
AT(ferry_geometry, block, 24);
AT(ferry_geometry, panic, 40);
AT(ferry_geometry, dynamic_shared, 48);
AT(ferry_geometry, scratch_bytes, 56);
AT(ferry_geometry, unit_threads, 64);

static_assert(sizeof(ferry_global) == 32);
AT(ferry_global, bytes, 8);
AT(ferry_global, symbol, 16);
AT(ferry_global, name, 24);

static_assert(sizeof(ferry_kernel) == 136);
AT(ferry_kernel, num_slots, 12);
AT(ferry_kernel, name, 16);
AT(ferry_kernel, symbol, 24);
AT(ferry_kernel, module, 32);
AT(ferry_kernel, cpu, 40);
AT(ferry_kernel, num_globals, 48);
AT(ferry_kernel, globals, 56);
AT(ferry_kernel, static_shared, 64);
AT(ferry_kernel, thread_bytes, 72);
AT(ferry_kernel, checked, 80);
AT(ferry_kernel, apart_symbol, 88);
AT(ferry_kernel, usages, 96);
AT(ferry_kernel, symbols, 104);
AT(ferry_kernel, num_panics, 112);
AT(ferry_kernel, panics, 120);
AT(ferry_kernel, formula_slots, 128);

static_assert(sizeof(ferry_op) == 16);
AT(ferry_op, value, 8);
static_assert(sizeof(ferry_formula) == 16);
AT(ferry_formula, num_ops, 8);
static_assert(sizeof(ferry_symbol) == 16);
static_assert(sizeof(ferry_term) == 24);
AT(ferry_term, stride, 8);
static_assert(sizeof(ferry_sum) == 32);
AT(ferry_sum, num_terms, 16);
AT(ferry_sum, terms, 24);
static_assert(sizeof(ferry_condition) == 64);
AT(ferry_condition, bound, 32);
AT(ferry_condition, relation, 48);
AT(ferry_condition, width, 52);
AT(ferry_condition, turns, 56);
static_assert(sizeof(ferry_access) == 56);
AT(ferry_access, num_conditions, 4);
AT(ferry_access, bytes, 8);
AT(ferry_access, offset, 16);
AT(ferry_access, conditions, 48);
static_assert(sizeof(ferry_usage) == 24);
AT(ferry_usage, num_accesses, 8);
AT(ferry_usage, accesses, 16);

static_assert(sizeof(ferry_check_site) == 16);
AT(ferry_check_site, line, 8);
static_assert(sizeof(ferry_checked_region) == 32);
AT(ferry_checked_region, after, 8);
AT(ferry_checked_region, site, 24);
static_assert(sizeof(ferry_checked_kernel) == 56);
AT(ferry_checked_kernel, regions, 8);
AT(ferry_checked_kernel, shared, 40);
AT(ferry_checked_kernel, sites, 48);

static_assert(sizeof(ferry_image) == 24);

static_assert(sizeof(ferry_module) == 112);
AT(ferry_module, num_globals, 16);
AT(ferry_module, images, 24);
AT(ferry_module, panic_records, 56);
AT(ferry_module, panic_symbol, 64);
AT(ferry_module, num_print_sites, 72);
AT(ferry_module, print_sites, 80);
AT(ferry_module, print_symbol, 88);
AT(ferry_module, next, 96);
AT(ferry_module, registration, 104);

static_assert(sizeof(ferry_print_site) == 32);
AT(ferry_print_site, length, 8);
AT(ferry_print_site, num_values, 16);
AT(ferry_print_site, kinds, 24);
static_assert(sizeof(ferry_print_buffer) == FERRY_PRINT_BYTES);
AT(ferry_print_buffer, lost, 8);
AT(ferry_print_buffer, lines, 16);

static_assert(sizeof(ferry_slot) == 16);
static_assert(sizeof(ferry_launch_site) == 24);
static_assert(sizeof(ferry_launch_shape) == 64);
AT(ferry_launch_shape, shared_bytes, 48);
AT(ferry_launch_shape, device, 56);
static_assert(sizeof(ferry_source_place) == 32);

// libomptarget's side.
using namespace ferry::rt;
static_assert(sizeof(TgtEntry) == 56);
AT(TgtEntry, Kind, 10);
AT(TgtEntry, Flags, 12);
AT(TgtEntry, SymbolName, 24);
AT(TgtEntry, Size, 32);
static_assert(sizeof(TgtImage) == 32 && sizeof(TgtBinDesc) == 32);
AT(TgtKernelArgs, BasePointers, 8);
AT(TgtKernelArgs, TripCount, 56);
AT(TgtKernelArgs, Teams, 72);
AT(TgtKernelArgs, DynamicSharedBytes, 96);
static_assert(sizeof(TgtIdent) == 24);
