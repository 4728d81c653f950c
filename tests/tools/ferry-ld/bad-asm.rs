// What only the code generator can see to be wrong fails the link, by every road
// that code takes.
//
// REQUIRES: cargo
// DEFINE: %{rustc} = rustc -Clinker-plugin-lto -Clinker=%ferry-ld -Clinker-flavor=gcc %s -o %t
// RUN: not %{rustc} 2>&1 | FileCheck %s
// RUN: not %{rustc} -Copt-level=3 -Ccodegen-units=16 2>&1 | FileCheck %s
// CHECK: error: {{.*}}invalid instruction mnemonic 'nonsense'
// CHECK: ferry-ld: error: {{.*}}cannot generate code for {{.*}}bad

mod other {
    #[inline(never)]
    pub fn wrong() {
        unsafe { core::arch::asm!("nonsense") }
    }
}

fn main() {
    other::wrong();
}
