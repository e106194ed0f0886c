//! What must not compile. Each file of tests/misuse is good Rust without its lines that end in `//~ CODE`; with any one of those, rustc
//! reports just that error on just that line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// What rustc says about a program that uses the crate: the errors, as (line, code), and all its words.
fn errors(library: &Path, source: &str, name: &str) -> (Vec<(usize, String)>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("misuse");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, source).unwrap();
    let done = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "--error-format=short", "-Awarnings"])
        .arg("--extern")
        .arg(format!("warpprim={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", library.parent().unwrap().display()))
        .arg("-o")
        .arg(file.with_extension("rmeta"))
        .arg(&file)
        .output()
        .expect("rustc starts");
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    // FILE:LINE:COLUMN: error[CODE]: TEXT
    let error = |line: &str| {
        let (place, words) = line.split_once(": error")?;
        let code = words.strip_prefix('[')?.split(']').next()?;
        Some((place.rsplit(':').nth(1)?.parse().ok()?, code.to_string()))
    };
    let mut found: Vec<_> = text.lines().filter_map(error).collect();
    found.dedup(); // one mistake may be found several times
    assert_eq!(done.status.success(), found.is_empty(), "{name}:\n{text}");
    (found, text)
}

/// The crate as Cargo has just built it: the newest that this rustc can read.
fn library() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let files = fs::read_dir(exe.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("libwarpprim-") && name.ends_with(".rlib")
    };
    let mut found: Vec<PathBuf> = files.filter(named).collect();
    found.sort_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH));
    let readable = |path: &PathBuf| {
        let uses = std::panic::catch_unwind(|| errors(path, "use warpprim::ViewMut;", "readable.rs"));
        matches!(uses, Ok((errors, _)) if errors.is_empty())
    };
    found.into_iter().rev().find(readable).expect("the crate lies beside its tests")
}

#[test]
fn misuse_does_not_compile() {
    let library = library();
    let mut checked = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/misuse")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let marked: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .filter_map(|(index, line)| line.split_once("//~ ").map(|(_, code)| (index + 1, code)))
            .collect();
        // The file with one marked line, or none; the others keep their place.
        let with = |only: Option<usize>| -> String {
            let keep = |number: usize| Some(number) == only || !marked.iter().any(|&(other, _)| other == number);
            let lines = text.lines().enumerate().map(|(i, line)| if keep(i + 1) { line } else { "" });
            lines.map(|line| line.to_string() + "\n").collect()
        };
        let (found, words) = errors(&library, &with(None), name);
        assert!(found.is_empty(), "{name} is wrong without its marked lines too:\n{words}");
        for &(line, code) in &marked {
            let (found, words) = errors(&library, &with(Some(line)), name);
            assert_eq!(found, [(line, code.to_string())], "{name}:{line}:\n{words}");
            checked += 1;
        }
    }
    assert!(checked >= 60, "only {checked} lines are marked");
}
