//! Each mistake has its message, at the token that is wrong. One mistake in each file. Warnings are
//! denied to be seen here, and what must compile does.

#![cfg(all(feature = "macros", feature = "scheduler"))]

#[test]
fn each_mistake_is_said_where_it_is() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/duplicates/*.rs");
    cases.compile_fail("tests/ui/order/*.rs");
    cases.compile_fail("tests/ui/scheduled/*.rs");
    cases.compile_fail("tests/ui/scheduler_lock/*.rs");
    cases.compile_fail("tests/ui/warnings/*.rs");
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/template/*.rs");
    cases.compile_fail("tests/ui/transactional/*.rs");
}
