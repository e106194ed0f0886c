"""Two streams: one makes data with a host callback, the other sums it once an event says that it is there.
Then an error of each kind: one told by the call itself, one told late, when the work has run."""

import numpy as np
import warpprim as wp

N = 1 << 20
data = np.zeros(N, np.int32)


def produce() -> None:
    """Host callbacks run on a thread of the library, in the order of their stream. They must not call
    warpprim."""
    data[:] = np.arange(N) % 8


def give_up() -> None:
    raise ValueError("no more data")


producer, consumer = wp.Stream(), wp.Stream()
ready = wp.Event()

producer.call(produce)
ready.record(producer)
consumer.wait(ready)  # nothing has waited yet: all of this only enqueues
total = wp.sum(data, stream=consumer)  # integers sum to 64 bits unless dtype says otherwise
consumer.synchronize()
print(f"sum {total}")
assert total == 3670016

try:
    wp.bitwise_xor(data.astype(np.float32), stream=consumer)
    raise AssertionError("xor of floats has no meaning")
except TypeError as error:  # a warpprim.errors.Unsupported
    print(f"told at once: {type(error).__name__}\n  {error}")

producer.call(give_up)
try:
    producer.synchronize()
    raise AssertionError("the callback failed")
except wp.errors.CallbackError as error:
    print(f"told late:    {type(error).__name__}, because of {error.__cause__!r}\n  {error}")
producer.synchronize()  # an error is told once
