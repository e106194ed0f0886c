//! Compiles the loop in C.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

fn main() {
    println!("cargo:rerun-if-changed=loop.c");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let cc = env::var_os("CC").unwrap_or_else(|| "cc".into());
    run(Command::new(cc).args(["-std=c11", "-O2", "-c", "loop.c", "-I../../../include", "-o"]).arg(out.join("loop.o")));
    run(Command::new("ar").arg("crs").arg(out.join("libloop.a")).arg(out.join("loop.o")));
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=loop");
}
