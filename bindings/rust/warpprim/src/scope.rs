use std::marker::PhantomData;

use crate::error::{Result, Status};
use crate::{DeviceInput, DeviceOutput, Input, Output, Plan, Reduce, Stream};

/// Where work on borrowed memory is enqueued: see [`Stream::scope`].
pub struct Scope<'scope, 'env: 'scope> {
    stream: &'scope Stream,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl Stream {
    /// Runs `f`, in which work can be enqueued that uses borrowed memory; waits for all work of the stream before it returns, or
    /// goes on with a panic. So the borrows end with the scope, and nobody can leave it early.
    ///
    /// ```
    /// # fn main() -> warpprim::Result<()> {
    /// use warpprim::{Context, Op, Reduce};
    ///
    /// let stream = Context::cpu()?.stream()?;
    /// let x = vec![0.5f32; 1 << 20];
    /// let (mut sum, mut largest) = ([0f32], [0f32]);
    /// stream.scope(|s| {
    ///     s.reduce(Reduce::new(Op::Sum), &x, &mut sum)?;
    ///     s.reduce(Reduce::new(Op::Max), &x, &mut largest) // both only enqueue
    /// })?;
    /// assert_eq!((sum, largest), ([524288.0], [0.5]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Fails with the failure of `f`, or else the stream's late error.
    pub fn scope<'env, F, R>(&self, f: F) -> Result<R>
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R>,
    {
        struct Wait<'a>(&'a Stream);
        impl Drop for Wait<'_> {
            fn drop(&mut self) {
                let _ = self.0.wait_for_borrows(); // on the way out with a panic
            }
        }

        self.enter()?;
        let wait = Wait(self);
        let result = f(&Scope { stream: self, scope: PhantomData, env: PhantomData });
        std::mem::forget(wait);
        let waited = self.wait_for_borrows();
        let value = result?;
        waited.map(|()| value)
    }
}

impl<'scope> Scope<'scope, '_> {
    /// The stream.
    pub fn stream(&self) -> &'scope Stream {
        self.stream
    }

    /// Enqueues a reduce, of memory that is borrowed for the scope.
    pub fn reduce<I, O>(&self, reduce: Reduce<'_>, input: &'scope I, output: &'scope mut O) -> Result<()>
    where
        I: Input + ?Sized,
        O: Output + ?Sized,
    {
        // SAFETY: the scope waits before what it borrows can be used again.
        unsafe { reduce.submit(self.stream, input, output) }
    }

    /// Enqueues the op of a plan, of memory that is borrowed for the scope.
    pub fn launch<I, O>(
        &self,
        plan: &mut Plan<I::Element, O::Element>,
        input: &'scope I,
        output: &'scope mut O,
    ) -> Result<()>
    where
        I: Input + ?Sized,
        O: Output + ?Sized,
    {
        // SAFETY: as in reduce.
        unsafe { plan.submit(self.stream, input, output) }
    }

    /// Enqueues a copy to the device. Fails if the lengths differ.
    pub fn write<O: DeviceOutput>(&self, from: &'scope [O::Element], to: &mut O) -> Result<()> {
        // SAFETY: as in reduce; what is at home on the stream need not be borrowed so long.
        unsafe { self.stream.enqueue_transfer(from, to) }
    }

    /// Enqueues a copy from the device. Fails if the lengths differ.
    pub fn read<I: DeviceInput>(&self, from: &I, to: &'scope mut [I::Element]) -> Result<()> {
        // SAFETY: as in write.
        unsafe { self.stream.enqueue_transfer(from, to) }
    }

    /// Enqueues a call of `f`, which may borrow for the scope; for the rest see [`Stream::call`].
    pub fn call<F>(&self, f: F) -> Result<()>
    where
        F: FnOnce() -> Result<(), Status> + Send + 'scope,
    {
        // SAFETY: as in reduce.
        unsafe { self.stream.enqueue_call(f) }
    }
}
