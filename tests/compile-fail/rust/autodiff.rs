// Attributes of autodiff that do not fit their functions: one error each, at the token
// that is wrong.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s --implicit-check-not="{{^error}}"

use ferry::prelude::*;

#[autodiff_reverse]
// CHECK: error: the derivative has no name: write #[autodiff_…(NAME, activity…)]
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:1
fn without_name(x: f64) -> f64 {
    x
}

#[autodiff_reverse(Active, Active)]
// CHECK: error: expected the derivative's name: write #[autodiff_…(NAME, activity…)]
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:20
fn activity_for_name(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d1, Activ, Active)]
// CHECK: error: no activity `Activ`: in reverse mode an argument is `Const`, `Active`, `Duplicated` or `DuplicatedOnly`
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:24
fn unknown(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d2, Dual, Active)]
// CHECK: error: `Dual` is an activity of forward mode: in reverse mode an argument is
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:24
fn other_mode(x: f64) -> f64 {
    x
}

#[autodiff_forward(d3, Dual, Active)]
// CHECK: error: `Active` is an activity of reverse mode: in forward mode an argument is
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:30
fn other_mode_result(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d4, Active)]
// CHECK: error: `no_result_activity` has 2 activities, of 1 argument and its result, but 1 stand here, so that of the result is missing
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:24
fn no_result_activity(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d5, Active, Active, Const)]
// CHECK: error: `too_many` has 2 activities, of 1 argument and its result, but 3 stand here
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:40
fn too_many(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d6)]
// CHECK: error: `none` has 2 activities, of 2 arguments, but 0 stand here
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:20
fn none(_x: &[f64], _y: &mut [f64]) {}

#[autodiff_reverse(d7, Active, Active)]
// CHECK: error: `x` is a reference: `Duplicated` adds its gradient to a shadow
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:24
fn active_reference(x: &f64) -> f64 {
    *x
}

#[autodiff_reverse(d8, Duplicated, Active)]
// CHECK: error: `x` is no reference, so there is no shadow to add its gradient to: `Active` returns it
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:24
fn duplicated_value(x: f64) -> f64 {
    x
}

#[autodiff_forward(d9, 2, Dualv, Dual)]
// CHECK: error: `x` is no slice, whose tangents could stand one behind the other: `Dual` takes them one by one
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:27
fn strided_array(x: &[f64; 2]) -> f64 {
    x[0]
}

#[autodiff_forward(d10, 0, Dual, Dual)]
// CHECK: error: the width is a number of derivatives, from 1 to 1024
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:25
fn no_width(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d11, ActiveOnly, Active)]
// CHECK: error: `x` cannot be `ActiveOnly`: in reverse mode an argument is
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:25
fn only_argument(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d12, Active, Duplicated)]
// CHECK: error: the result cannot be `Duplicated`: in reverse mode a result is `Const`, `Active` or `ActiveOnly`
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:33
fn duplicated_result(x: f64) -> f64 {
    x
}

#[autodiff_reverse(d13, Active, Active)]
fn pattern((x, y): (f64, f64)) -> f64 {
    // CHECK: error: an argument of a function with a derivative has a name, not a pattern
    // CHECK-NEXT: autodiff.rs:[[@LINE-2]]:12
    x * y
}

#[autodiff_reverse(d14, Active, Active)]
async fn future(x: f64) -> f64 {
    // CHECK: error: an async function returns a future, which has no derivative
    // CHECK-NEXT: autodiff.rs:[[@LINE-2]]:1
    x
}

#[autodiff_reverse(d15, Active)]
struct NoFunction;
// CHECK: error: the attributes of autodiff stand on functions
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:1

#[autodiff_reverse(d16, Active + 1, Active)]
// CHECK: error: expected an activity: in reverse mode an argument is
// CHECK-NEXT: autodiff.rs:[[@LINE-2]]:25
fn expression(x: f64) -> f64 {
    x
}

struct Methods;
impl Methods {
    #[autodiff_reverse(d17, Active)]
    // CHECK: error: `method` has 2 activities, of 2 arguments, but 1 stand here
    // CHECK-NEXT: autodiff.rs:[[@LINE-2]]:29
    fn method(&self, _x: f64) {}
}

#[derive(ferry::autodiff::Shadow)]
enum Either {
    // CHECK: error: Shadow is derived for structs: a value and its shadow could be different variants
    // CHECK-NEXT: autodiff.rs:[[@LINE-2]]:1
    A(f64),
    B(f64),
}

// CHECK: error: aborting due to 20 previous errors
fn main() {}
