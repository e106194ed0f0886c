//! Every example runs, and checks its own result. (Not a unit test of each: they are programs, and are tested as programs.)

use std::process::Command;

fn runs(program: &str) {
    let done = Command::new(program).output().expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{program}: {text}{}", String::from_utf8_lossy(&done.stderr));
    println!("{text}");
}

#[test]
fn sum() {
    runs(env!("CARGO_BIN_EXE_sum"));
}

#[test]
fn rows() {
    runs(env!("CARGO_BIN_EXE_rows"));
}

#[test]
fn streams() {
    runs(env!("CARGO_BIN_EXE_streams"));
}

#[test]
fn modes() {
    runs(env!("CARGO_BIN_EXE_modes"));
}
