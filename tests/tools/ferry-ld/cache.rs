// Nothing is compiled twice, and nothing out of date is used.
//
// REQUIRES: cargo
// DEFINE: %{flags} = -Copt-level=1
// DEFINE: %{source} = %s
// DEFINE: %{build} = env FERRY_LD_VERBOSE=1 FERRY_CACHE_DIR=%t.cache rustc -Wlinker-messages -Clinker-plugin-lto -Clinker=%ferry-ld -Clinker-flavor=gcc -Ccodegen-units=1 --crate-name cached %{flags} %{source} -o %t 2>&1
// RUN: rm -rf %t.cache
// RUN: %{build} | FileCheck %s --check-prefixes=NEW --implicit-check-not=reused
// RUN: %{build} | FileCheck %s --check-prefixes=SAME --implicit-check-not=compiled
// NEW: compiled {{.*}}cached
// SAME: reused {{.*}}cached
//
// Another option is another object.
// REDEFINE: %{flags} = -Copt-level=3
// RUN: %{build} | FileCheck %s --check-prefixes=NEW
// RUN: %{build} | FileCheck %s --check-prefixes=SAME --implicit-check-not=compiled
//
// So is another program.
// RUN: sed s/unchanged/changed/ %s > %t.rs
// REDEFINE: %{source} = %t.rs
// RUN: %{build} | FileCheck %s --check-prefixes=NEW
// RUN: %t | FileCheck %s --check-prefix=CHANGED
// CHANGED: {{^}}changed
//
// A missing object is noticed.
// RUN: rm %t.cache/*
// RUN: %{build} | FileCheck %s --check-prefixes=NEW --implicit-check-not=reused
// RUN: %t | FileCheck %s --check-prefix=CHANGED

fn main() {
    println!("unchanged");
}
