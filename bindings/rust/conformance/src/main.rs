//! Runs conformance cases through the Rust crates, and says for each: case, backend, mode, result.
//!
//!     conformance [--backend cpu|cuda] [--mode eager|plan|graph|resident] [--large] [--filter TEXT] [--out FILE] CASES.jsonl...
//!
//! What the safe interface can say goes through it, the rest through `warpprim-sys`. The lines go to stdout or FILE, and a summary
//! to stdout. Failures go to stderr too if there is a FILE.

mod desc;
mod json;
mod memory;
mod mode;
mod object;
mod recipe;
mod refusal;
mod session;
mod value;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use json::Json;
use mode::{Mode, MODES};
use session::{Outcome, Session, Verdict};

struct Options {
    backend: String,
    mode: (&'static str, Mode),
    filter: String,
    large: bool,
    out: Option<String>,
    files: Vec<String>,
}

fn read_options() -> Option<Options> {
    let mut o = Options {
        backend: "cpu".into(),
        mode: MODES[0],
        filter: String::new(),
        large: false,
        out: None,
        files: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--backend" => o.backend = args.next()?,
            "--mode" => {
                let name = args.next()?;
                o.mode = MODES.into_iter().find(|(known, _)| *known == name)?;
            }
            "--filter" => o.filter = args.next()?,
            "--out" => o.out = Some(args.next()?),
            "--large" => o.large = true,
            _ if arg.starts_with("--") => return None,
            _ => o.files.push(arg),
        }
    }
    (!o.files.is_empty()).then_some(o)
}

fn run_case(session: &Session, case: &Json) -> Verdict {
    let named = |backend: &Json| matches!(backend, Json::Text(name) if *name == session.backend);
    if case.get("backends").is_some() && !case.array("backends").iter().any(named) {
        return Err(Outcome::Skip("for another backend"));
    }
    match case.text("kind", "") {
        "digest" => value::run_digest(case),
        "recipe" => value::run_recipe(case),
        "reduce" => value::run_reduce(session, case),
        "reduce_call" => refusal::run_reduce_call(session, case),
        "object_call" => object::run_object_call(session, case),
        kind => Err(Outcome::fail(format!("this runner does not know the kind \"{kind}\""))),
    }
}

/// Runs all cases; whether it went well.
fn run(o: &Options) -> io::Result<bool> {
    let session =
        Session::open(&o.backend, o.mode.1, o.large).map_err(|text| io::Error::new(io::ErrorKind::Other, text))?;
    let mut out: Box<dyn Write> = match &o.out {
        Some(path) => Box::new(BufWriter::new(File::create(path)?)),
        None => Box::new(io::stdout()),
    };
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for path in &o.files {
        for line in BufReader::new(File::open(path)?).lines() {
            let case = Json::parse(&line?);
            let not_a_case = || io::Error::new(io::ErrorKind::InvalidData, format!("{path}: a line is not a case"));
            let case = case.filter(|case| case.get("name").is_some()).ok_or_else(not_a_case)?;
            let name = case.text("name", "");
            if !name.contains(&o.filter) {
                continue;
            }
            let (count, result) = match run_case(&session, &case) {
                Ok(()) => (&mut passed, "pass".into()),
                Err(Outcome::Fail(why)) => (&mut failed, format!("fail: {why}")),
                Err(Outcome::Skip(why)) => (&mut skipped, format!("skip: {why}")),
            };
            *count += 1;
            writeln!(out, "{name} {} {} {result}", o.backend, o.mode.0)?;
            if o.out.is_some() && result.starts_with("fail") {
                eprintln!("{name} {} {} {result}", o.backend, o.mode.0);
            }
        }
    }
    out.flush()?;
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0 && passed > 0)
}

fn main() -> ExitCode {
    let o = match read_options() {
        Some(o) => o,
        None => {
            eprintln!(
                "usage: conformance [--backend cpu|cuda] [--mode MODE] [--large] [--filter TEXT] [--out FILE] CASES..."
            );
            return ExitCode::from(2);
        }
    };
    match run(&o) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
