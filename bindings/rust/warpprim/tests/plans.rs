//! Plans and counts on the device: what they take, what they refuse, and what may be dropped in flight.

mod support;

use support::{contexts, refused, stop, N};
use warpprim::{Context, Op, Reduce, Status};

#[test]
fn plans_take_what_calls_take() {
    let context = Context::cpu().unwrap();
    let stream = context.stream().unwrap();
    let (x, y) = (vec![1i32; 6000], vec![2i32; 6000]);
    let (mut a, mut b) = ([0i64; 3], [0i64; 3]);
    let mut plan = Reduce::new(Op::Sum).rows(3).plan(&context, &x, &mut a).unwrap();
    plan.run(&stream, &x, &mut a).unwrap();
    plan.run(&stream, &y, &mut b).unwrap();
    assert_eq!((a, b), ([2000; 3], [4000; 3]));
    stream
        .scope(|s| {
            s.launch(&mut plan, &y, &mut a)?;
            s.launch(&mut plan, &x, &mut b)
        })
        .unwrap();
    assert_eq!((a, b), ([4000; 3], [2000; 3]));
    assert_eq!(plan.context(), &context);
    assert!(format!("{plan:?}").contains("6000 of I32"));
}

#[test]
fn plans_refuse_other_memory() {
    for context in contexts() {
        let (stream, other) = (context.stream().unwrap(), context.stream().unwrap());
        let (x, mut sum) = (stream.zeros::<f32>(8).unwrap(), stream.zeros::<f32>(1).unwrap());
        let sum_of = Reduce::new(Op::Sum);
        refused(sum_of.rows(3).plan(&context, &x, &mut sum), "input");
        refused(sum_of.rows(2).plan(&context, &x, &mut sum), "output");
        assert_eq!(Reduce::new(Op::Xor).plan(&context, &x, &mut sum).unwrap_err().status(), Status::Unsupported);

        let mut plan = sum_of.plan(&context, &x, &mut sum).unwrap();
        refused(plan.launch(&stream, &x.view(1..), &mut sum), "7 elements");
        refused(plan.launch(&other, &x, &mut sum), "at home");
        refused(plan.launch_counted(&stream, &x, &stream.zeros::<u64>(1).unwrap(), &mut sum), "n_on_device");
        let mut two = stream.zeros::<f32>(2).unwrap();
        refused(plan.launch(&stream, &x, &mut two), "2 elements");
        plan.launch(&stream, &x, &mut two.view_mut(1..)).unwrap(); // as good as before
        let far = Context::open(context.device()).unwrap().stream().unwrap();
        let (x, mut sum) = (far.zeros::<f32>(8).unwrap(), far.zeros::<f32>(1).unwrap());
        assert_eq!(plan.launch(&far, &x, &mut sum).unwrap_err().status(), Status::InvalidHandle);
    }
}

#[test]
fn counts_are_read_when_the_op_runs() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let x = stream.upload(&[1i32; 1000]).unwrap();
        let (mut n, mut sum) = (stream.zeros::<u64>(1).unwrap(), stream.zeros::<i64>(1).unwrap());
        let mut plan = Reduce::new(Op::Sum).n_on_device(&n).plan(&context, &x, &mut sum).unwrap();
        for (given, wanted) in [(0, 0), (1, 1), (999, 999), (1000, 1000), (1001, 1000), (u64::MAX, 1000)] {
            stream.fill(&mut n, given).unwrap();
            Reduce::new(Op::Sum).n_on_device(&n).enqueue(&stream, &x, &mut sum).unwrap();
            assert_eq!(sum.to_vec(&stream).unwrap(), [wanted]);
            stream.fill(&mut sum, -1).unwrap();
            plan.launch_counted(&stream, &x, &n, &mut sum).unwrap();
            assert_eq!(sum.to_vec(&stream).unwrap(), [wanted]);
        }
        refused(plan.launch(&stream, &x, &mut sum), "launch_counted");
        let two = stream.zeros::<u64>(2).unwrap();
        refused(plan.launch_counted(&stream, &x, &two, &mut sum), "n_on_device");
        refused(Reduce::new(Op::Sum).n_on_device(&two).enqueue(&stream, &x, &mut sum), "n_on_device");
        let other = context.stream().unwrap();
        let far = other.zeros::<u64>(1).unwrap();
        refused(Reduce::new(Op::Sum).n_on_device(&far).enqueue(&stream, &x, &mut sum), "n_on_device is at home");
        let (rows, mut sums) = (Reduce::new(Op::Sum).rows(2).n_on_device(&n), stream.zeros::<i64>(2).unwrap());
        refused(rows.enqueue(&stream, &x, &mut sums), "rows");
    }
}

#[test]
fn plans_dropped_in_flight() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut sums = [stream.zeros::<i64>(1).unwrap(), stream.zeros::<i64>(1).unwrap()];
        let (x, y) = (stream.upload(&vec![1i32; N]).unwrap(), stream.upload(&vec![2i32; N]).unwrap());
        let go = stop(&stream);
        let mut plan = Reduce::new(Op::Sum).plan(&context, &x, &mut sums[0]).unwrap();
        plan.launch(&stream, &x, &mut sums[0]).unwrap();
        drop(x); // the plan was bound to it, and is not any more
        plan.launch(&stream, &y, &mut sums[1]).unwrap(); // what is in flight still uses x
        drop((plan, y));
        go.send(()).unwrap();
        assert_eq!(sums[0].to_vec(&stream).unwrap(), [N as i64]);
        assert_eq!(sums[1].to_vec(&stream).unwrap(), [2 * N as i64]);
    }
}
