//! The crate, the header and the library that was linked are of one version, and the constants that bindgen does not see are right.

use warpprim_sys::*;

#[test]
fn versions_agree() {
    let header = format!("{WPRIM_VERSION_MAJOR}.{WPRIM_VERSION_MINOR}.{WPRIM_VERSION_PATCH}");
    assert_eq!(header, env!("CARGO_PKG_VERSION"));
    assert_eq!(unsafe { wprim_version() }, WPRIM_VERSION);
}

/// Each _INIT macro of the header, as its text, beside the constant that stands for it.
#[test]
fn initial_descs_are_those_of_the_header() {
    let header = include_str!("../source/include/warpprim.h");
    let header = header.replace("\\\n", " ");
    let values = |name: &str| -> Vec<String> {
        let line = header.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name}"));
        let list = &line[line.find('{').unwrap() + 1..line.rfind('}').unwrap()];
        list.split(',').map(|value| value.trim().to_string()).collect()
    };
    let (r, s, c) = (WPRIM_REDUCE_DESC_INIT, WPRIM_STREAM_DESC_INIT, WPRIM_CONTEXT_INFO_DESC_INIT);
    assert_eq!(
        values("define WPRIM_REDUCE_DESC_INIT").join(" "),
        "sizeof(wprim_reduce_desc) WPRIM_SUM WPRIM_F32 WPRIM_DTYPE_DEFAULT NULL NULL 1 0 0 WPRIM_NAN_PROPAGATE 0 NULL"
    );
    assert_eq!((r.struct_size as usize, r.op, r.dtype), (std::mem::size_of_val(&r), WPRIM_SUM, WPRIM_F32));
    assert!(r.out_dtype == WPRIM_DTYPE_DEFAULT && r.in_.is_null() && r.out.is_null() && r.n_on_device.is_null());
    assert_eq!((r.rows, r.cols, r.row_stride, r.nan, r.ddof), (1, 0, 0, WPRIM_NAN_PROPAGATE, 0));
    assert_eq!(values("define WPRIM_STREAM_DESC_INIT").join(" "), "sizeof(wprim_stream_desc) 0 WPRIM_STREAM_LAUNCHED");
    assert_eq!((s.struct_size as usize, s.priority, s.kind), (std::mem::size_of_val(&s), 0, WPRIM_STREAM_LAUNCHED));
    let want = "sizeof(wprim_context_info_desc) WPRIM_CPU 0 0 0 {0} {0}";
    assert_eq!(values("define WPRIM_CONTEXT_INFO_DESC_INIT").join(" "), want);
    assert_eq!((c.struct_size as usize, c.kind, c.ordinal), (std::mem::size_of_val(&c), WPRIM_CPU, 0));
    assert_eq!((c.parallelism, c.memory, c.name, c.detail), (0, 0, [0; 128], [0; 128]));
}
