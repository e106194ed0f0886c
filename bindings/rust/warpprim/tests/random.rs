//! Random calls in random order on several streams, beside a model of what every buffer must hold. Nothing crashes, what must be refused
//! is refused, and the rest is right. `WARPPRIM_RANDOM_RUNS` says how many (40), `WARPPRIM_RANDOM_SEED` with which seed to begin (1).

mod support;

use std::thread;
use std::time::Duration;

use support::{contexts, is_cpu, two, Rng};
use warpprim::{Buffer, Context, Event, Op, Plan, Reduce, Result, Stream, StreamOptions};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Home {
    Stream(usize),
    Dropped,
    Detached,
}

struct Slot {
    buffer: Buffer<i32>,
    model: Vec<i32>,
    home: Home,
    /// The host reaches it.
    on_host: bool,
}

struct World {
    rng: Rng,
    context: Context,
    streams: Vec<(usize, Stream)>,
    slots: Vec<Slot>,
    event: Event,
    /// Sums, and of how many elements.
    plans: Vec<(Plan<i32, i32>, usize)>,
    names: usize,
    /// What was called last, for who reads a failure.
    history: Vec<String>,
}

/// The call went as the model says.
fn expect(result: Result<()>, good: bool, history: &[String]) {
    assert_eq!(result.is_ok(), good, "{result:?} after {history:#?}");
}

impl World {
    fn new(seed: u64, context: Context) -> World {
        let event = context.event().unwrap();
        let (streams, slots, plans, history) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut world = World { rng: Rng(seed), context, streams, slots, event, plans, names: 0, history };
        world.new_stream();
        world.new_buffer();
        world
    }

    fn new_stream(&mut self) {
        let options = StreamOptions::new().resident(self.rng.below(3) == 0);
        self.streams.push((self.names, self.context.stream_with(options).unwrap()));
        self.names += 1;
    }

    fn new_buffer(&mut self) {
        let n = [0, 1, 7, 300, 5000, 60_000][self.rng.below(6)];
        let (id, stream) = &self.streams[self.rng.below(self.streams.len())];
        let model: Vec<i32> = (0..n).map(|_| self.rng.below(1000) as i32).collect();
        let (kind, on_cpu) = (self.rng.below(3), is_cpu(&self.context));
        let (buffer, model) = match kind {
            0 => (stream.zeros(n).unwrap(), vec![0; n]),
            1 => (stream.pinned_zeros(n).unwrap(), vec![0; n]),
            _ => (stream.upload(&model).unwrap(), model),
        };
        self.slots.push(Slot { buffer, model, home: Home::Stream(*id), on_host: on_cpu || kind == 1 });
    }

    fn range(&mut self, slot: usize) -> (usize, usize) {
        let len = self.slots[slot].model.len();
        let start = self.rng.below(len + 1);
        (start, start + self.rng.below(len - start + 1))
    }

    /// Two slots that are not the same, the second to be written; mostly of one stream.
    fn pair(&mut self, s: usize) -> Option<(usize, usize)> {
        let home = Home::Stream(self.streams[s].0);
        let any = self.rng.below(4) == 0;
        let from: Vec<_> = (0..self.slots.len()).filter(|&b| any || self.slots[b].home == home).collect();
        let (first, second) = (self.rng.below(from.len().max(1)), self.rng.below(from.len().max(1)));
        (first != second).then(|| (from[first], from[second]))
    }

    fn step(&mut self) {
        let action = self.rng.below(26);
        let (mut s, b) = (self.rng.below(self.streams.len()), self.rng.below(self.slots.len()));
        if let Some(home) = self.streams.iter().position(|(id, _)| self.slots[b].home == Home::Stream(*id)) {
            s = if self.rng.below(4) == 0 { s } else { home };
        }
        let value = self.rng.below(1000) as i32;
        let name = self.streams[s].0;
        self.history.push(format!("action {action}, stream {name}, buffer {b} {:?}", self.slots[b].home));
        let here = self.slots[b].home == Home::Stream(name);
        match action {
            0 if self.streams.len() < 4 => self.new_stream(),
            1 if self.streams.len() > 1 => {
                self.streams.swap_remove(s);
                for slot in self.slots.iter_mut().filter(|slot| slot.home == Home::Stream(name)) {
                    slot.home = Home::Dropped;
                }
            }
            2 | 3 if self.slots.len() < 12 => self.new_buffer(),
            4 if self.slots.len() > 1 => drop(self.slots.swap_remove(b)),
            5 if self.slots.len() > 1 => {
                let slot = self.slots.swap_remove(b);
                thread::spawn(move || drop(slot)).join().unwrap();
            }
            6 => {
                let (start, end) = self.range(b);
                let slot = &mut self.slots[b];
                let result = self.streams[s].1.fill(&mut slot.buffer.view_mut(start..end), value);
                expect(result, here, &self.history);
                if here {
                    slot.model[start..end].fill(value);
                }
            }
            12 => {
                let result = self.slots[b].buffer.detach(&self.streams[s].1);
                expect(result, here, &self.history);
                if here {
                    self.slots[b].home = Home::Detached;
                }
            }
            13 => {
                let slot = &mut self.slots[b];
                let good = here || matches!(slot.home, Home::Dropped | Home::Detached);
                expect(slot.buffer.attach(&self.streams[s].1), good, &self.history);
                slot.home = if good { Home::Stream(name) } else { slot.home };
            }
            14 => {
                let slot = &mut self.slots[b];
                let result = self.streams[s].1.call_with(&mut slot.buffer, move |elements| {
                    elements.iter_mut().for_each(|x| *x = x.wrapping_mul(3).wrapping_add(value));
                    Ok(())
                });
                expect(result, here && slot.on_host, &self.history);
                if here && slot.on_host {
                    slot.model.iter_mut().for_each(|x| *x = x.wrapping_mul(3).wrapping_add(value));
                }
            }
            15 => {
                let (_, stream) = &self.streams[s];
                self.event.record(stream).unwrap();
                self.streams[self.rng.below(self.streams.len())].1.wait(&self.event).unwrap();
            }
            16 => {
                let pause = Duration::from_micros(value as u64);
                let sleep = move || {
                    thread::sleep(pause);
                    Ok(())
                };
                self.streams[s].1.call(sleep).unwrap();
            }
            17 => {
                let (id, stream) = self.streams.swap_remove(s);
                let back = thread::spawn(move || stream.synchronize().map(|()| stream)).join().unwrap();
                self.streams.push((id, back.unwrap()));
            }
            18 => self.scope(s, b, value),
            19..=21 => self.look(s, b, value),
            _ => self.with_two(action, s, value),
        }
    }

    fn with_two(&mut self, action: usize, s: usize, value: i32) {
        match (self.pair(s), action) {
            (None, _) => {}
            (Some(pair), 7 | 8) => self.copy(s, pair),
            (Some(pair), 9..=11) => self.reduce(s, pair),
            (Some(pair), 22 | 23) => self.graph(s, pair, value),
            (Some(pair), _) => self.plan(s, pair),
        }
    }

    fn copy(&mut self, s: usize, (from, to): (usize, usize)) {
        let (start, mut end) = self.range(from);
        let wanted = start + self.slots[to].model.len();
        if wanted <= self.slots[from].model.len() && self.rng.below(4) > 0 {
            end = wanted;
        }
        let (source, target) = two(&mut self.slots, from, to);
        let home = Home::Stream(self.streams[s].0);
        let good = source.home == home && target.home == home && end - start == target.model.len();
        let result = self.streams[s].1.copy(&source.buffer.view(start..end), &mut target.buffer);
        expect(result, good, &self.history);
        if good {
            target.model.copy_from_slice(&source.model[start..end]);
        }
    }

    fn reduce(&mut self, s: usize, (from, to): (usize, usize)) {
        let (rows, cols, gap) = (self.rng.below(4), [0, 1, 90, 2999, 40_000][self.rng.below(5)], self.rng.below(3) * 5);
        let op = [Op::Sum, Op::Max, Op::MinMax][self.rng.below(3)];
        let (source, target) = two(&mut self.slots, from, to);
        let outputs =
            (rows * if op == Op::MinMax { 2 } else { 1 } + (self.rng.below(10) == 0) as usize).min(target.model.len());
        let home = Home::Stream(self.streams[s].0);
        let reduce = Reduce::new(op).rows(rows).cols(cols).row_stride(cols + gap);
        let len = (rows * (cols + gap)).min(source.model.len());
        let result =
            reduce.enqueue(&self.streams[s].1, &source.buffer.view(..len), &mut target.buffer.view_mut(..outputs));
        let wanted = rows * if op == Op::MinMax { 2 } else { 1 };
        let fits = rows == 0 || (rows - 1) * (cols + gap) + cols <= len;
        let good = source.home == home && target.home == home && fits && outputs == wanted;
        expect(result, good, &self.history);
        for r in 0..if good { rows } else { 0 } {
            let row = &source.model[r * (cols + gap)..][..cols];
            let (min, max) = (row.iter().min().map_or(i32::MAX, |x| *x), row.iter().max().map_or(i32::MIN, |x| *x));
            match op {
                Op::Sum => target.model[r] = row.iter().fold(0, |sum: i32, x| sum.wrapping_add(*x)),
                Op::Max => target.model[r] = max,
                _ => target.model[2 * r..][..2].copy_from_slice(&[min, max]),
            }
        }
    }

    /// A sum by a plan, which may have been made for other memory and be in flight on another stream.
    fn plan(&mut self, s: usize, (from, to): (usize, usize)) {
        let (start, end) = self.range(from);
        let home = Home::Stream(self.streams[s].0);
        let (p, fresh) = (self.rng.below(6), self.rng.below(3) == 0);
        let (source, target) = two(&mut self.slots, from, to);
        if target.model.is_empty() {
            return;
        }
        let mut output = target.buffer.view_mut(..1);
        if p >= self.plans.len() {
            let plan = Reduce::new(Op::Sum).plan(&self.context, &source.buffer.view(start..end), &mut output);
            self.plans.push((plan.unwrap(), end - start));
        }
        let at = p.min(self.plans.len() - 1);
        let (plan, planned) = &mut self.plans[at];
        let end = if start + *planned <= source.model.len() && !fresh { start + *planned } else { end };
        let good = source.home == home && target.home == home && end - start == *planned;
        expect(plan.launch(&self.streams[s].1, &source.buffer.view(start..end), &mut output), good, &self.history);
        if good {
            target.model[0] = source.model[start..end].iter().fold(0, |sum: i32, x| sum.wrapping_add(*x));
        }
        if self.rng.below(5) == 0 {
            drop(self.plans.swap_remove(at));
        }
    }

    /// A graph takes two buffers, is launched some times, and gives them back with launches in flight.
    fn graph(&mut self, s: usize, (from, to): (usize, usize), value: i32) {
        let (first, second) = (from.max(to), from.min(to));
        let (mut x, mut y) = (self.slots.swap_remove(first), self.slots.swap_remove(second));
        let (name, stream) = &self.streams[s];
        let take = |from: &mut Buffer<i32>| std::mem::replace(from, stream.zeros(0).unwrap());
        let (a, b) = (take(&mut x.buffer), take(&mut y.buffer));
        let same_length = x.model.len() == y.model.len();
        let (mut graph, (a, b, filled)) = self
            .context
            .record(|r| {
                let (a, b) = (r.hold(a), r.hold(b));
                let filled = r.fill(a, value)?;
                if same_length {
                    r.copy(a, b)?;
                }
                Ok((a, b, filled))
            })
            .unwrap();
        let good = [x.home, y.home] == [Home::Stream(*name); 2];
        for launch in 0..self.rng.below(4) as i32 {
            graph.set(filled, value + launch).unwrap();
            expect(graph.launch(stream), good, &self.history);
            if good {
                x.model.fill(value + launch);
            }
            if good && same_length {
                y.model.fill(value + launch);
            }
        }
        (x.buffer, y.buffer) = (take(&mut graph[a]), take(&mut graph[b]));
        self.slots.extend([x, y]);
    }

    /// Memory of the host, borrowed: new contents for one buffer, and the contents of another.
    fn scope(&mut self, s: usize, b: usize, value: i32) {
        let (name, stream) = &self.streams[s];
        let slot = &mut self.slots[b];
        let new = vec![value; slot.model.len()];
        let mut old = vec![0; slot.model.len()];
        let result = stream.scope(|scope| {
            scope.read(&slot.buffer, &mut old)?;
            scope.write(&new, &mut slot.buffer)
        });
        let good = slot.home == Home::Stream(*name);
        expect(result, good, &self.history);
        if good {
            assert_eq!(old, slot.model, "after {:#?}", self.history);
            slot.model = new;
        }
    }

    /// The contents are those of the model.
    fn look(&mut self, s: usize, b: usize, value: i32) {
        let (name, stream) = &self.streams[s];
        let slot = &mut self.slots[b];
        let here = slot.home == Home::Stream(*name);
        let on_host = here && slot.on_host;
        match (slot.buffer.to_vec(stream), here) {
            (Ok(got), true) => assert_eq!(got, slot.model, "after {:#?}", self.history),
            (result, _) => assert!(result.is_err() && !here, "after {:#?}", self.history),
        }
        assert_eq!(slot.buffer.host(stream).ok(), on_host.then(|| &slot.model[..]));
        if on_host && value % 2 == 0 {
            slot.buffer.host_mut(stream).unwrap().fill(value);
            slot.model.fill(value);
        }
    }
}

#[test]
fn random_calls() {
    let setting = |name, preset| std::env::var(name).map_or(preset, |text| text.parse().expect(name));
    let (runs, first) = (setting("WARPPRIM_RANDOM_RUNS", 40), setting("WARPPRIM_RANDOM_SEED", 1));
    for context in contexts() {
        for seed in first..first + runs {
            let mut world = World::new(seed, context.clone());
            world.history.push(format!("seed {seed} on {}", context.device()));
            for _ in 0..200 {
                world.step();
            }
            // At the end, every buffer comes to a stream and is looked at; now and then all is dropped as it is.
            if seed % 4 != 0 {
                for b in 0..world.slots.len() {
                    if let Some(home) = world.streams.iter().find(|(id, _)| world.slots[b].home == Home::Stream(*id)) {
                        world.slots[b].buffer.detach(&home.1).unwrap();
                    }
                    world.slots[b].buffer.attach(&world.streams[0].1).unwrap();
                    world.slots[b].home = Home::Stream(world.streams[0].0);
                    world.look(0, b, 1);
                }
            }
        }
    }
}
