//! Finds libwarpprim, or builds it: `WARPPRIM_DIR` (an installed copy, or the folder that holds the library), else pkg-config,
//! else CMake on the source in `source/`. On docs.rs nothing is linked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = "libwarpprim.so";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=WARPPRIM_DIR");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Some(folder) = env::var_os("WARPPRIM_DIR") {
        let folder = PathBuf::from(folder);
        match find(&folder) {
            Some(found) => link(&found),
            None => panic!(
                "WARPPRIM_DIR = {}: there is no {LIBRARY} in it, nor in lib, lib64 or lib/<machine>",
                folder.display()
            ),
        }
    } else if pkg_config::Config::new().atleast_version(env!("CARGO_PKG_VERSION")).probe("warpprim").is_err() {
        link(&build());
    }
}

/// The folder of the library: `prefix` itself, or where an installation puts it.
fn find(prefix: &Path) -> Option<PathBuf> {
    let machine = format!("lib/{}-linux-gnu", env::var("CARGO_CFG_TARGET_ARCH").unwrap());
    let places = ["", "lib", "lib64", &machine];
    places.iter().map(|place| prefix.join(place)).find(|folder| folder.join(LIBRARY).exists())
}

/// Tells rustc, and the build scripts of crates that depend on this one (as `DEP_WARPPRIM_LIB`).
fn link(folder: &Path) {
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=dylib=warpprim");
    println!("cargo:lib={}", folder.display());
}

/// Builds the library in Cargo's folder for this crate and returns where it is installed.
fn build() -> PathBuf {
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("source");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let (tree, prefix) = (out.join("build"), out.join("installed"));
    println!("cargo:rerun-if-changed={}", source.display());

    let cuda = if env::var_os("CARGO_FEATURE_CUDA").is_some() { "ON" } else { "OFF" };
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(&source).arg("-B").arg(&tree);
    configure.args(["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"]);
    configure.arg(format!("-DWARPPRIM_CUDA={cuda}"));
    for part in ["TESTS", "EXAMPLES", "BENCH"] {
        configure.arg(format!("-DWARPPRIM_BUILD_{part}=OFF"));
    }
    run(configure.arg("-DWARPPRIM_WERROR=OFF"));
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "2".into());
    run(Command::new("cmake").arg("--build").arg(&tree).args(["--parallel", &jobs]));
    run(Command::new("cmake").arg("--install").arg(&tree).arg("--prefix").arg(&prefix));
    prefix.join("lib")
}

fn run(command: &mut Command) {
    const NEEDED: &str = "No installed libwarpprim was found (WARPPRIM_DIR, pkg-config), so it is built here. \
         That takes CMake 3.25, g++ 12 or clang 15, Highway 1.0 and oneTBB 2021; on Debian and Ubuntu: \
         apt install cmake g++ libhwy-dev libtbb-dev pkg-config";
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{command:?}: {status}\n{NEEDED}"),
        Err(error) => panic!("{command:?}: {error}\n{NEEDED}"),
    }
}
