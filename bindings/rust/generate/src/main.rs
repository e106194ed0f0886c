//! `cargo run -p generate` writes the bindings to the C header; `cargo test -p generate` says whether they are up to date.

use bindgen::callbacks::ParseCallbacks;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn committed() -> PathBuf {
    root().join("bindings/rust/warpprim-sys/src/bindings.rs")
}

/// The header's comments become documentation: without the lines between its sections, and with its C marked as C.
#[derive(Debug)]
struct Comments;

impl ParseCallbacks for Comments {
    fn process_comment(&self, comment: &str) -> Option<String> {
        let (mut text, mut in_code) = (String::new(), false);
        for line in comment.lines() {
            let code = line.starts_with("     ") || (in_code && line.trim().is_empty());
            if code != in_code {
                text += if code { "```c\n" } else { "```\n" };
                in_code = code;
            }
            if !line.contains("-----") {
                text += line;
                text += "\n";
            }
        }
        text += if in_code { "```\n" } else { "" };
        Some(text)
    }
}

fn generate() -> String {
    let bindings = bindgen::Builder::default()
        .header(root().join("include/warpprim.h").to_str().expect("a path in UTF-8"))
        .allowlist_file(".*warpprim[.]h")
        .clang_arg("-fparse-all-comments")
        .prepend_enum_name(false)
        .layout_tests(true)
        .merge_extern_blocks(true)
        .raw_line("#![allow(non_camel_case_types, clippy::all, rustdoc::all)]")
        .formatter(bindgen::Formatter::Prettyplease)
        .parse_callbacks(Box::new(Comments))
        .generate()
        .expect("the header is C that bindgen can read");
    bindings.to_string()
}

fn main() {
    std::fs::write(committed(), generate()).expect("the file of bindings can be written");
}

#[test]
fn bindings_are_up_to_date() {
    let text = std::fs::read_to_string(committed()).expect("the file of bindings can be read");
    assert!(text == generate(), "warpprim-sys/src/bindings.rs is not what the header gives: cargo run -p generate");
}
