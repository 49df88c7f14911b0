package io.trimtab.runtime.ports;

/** A monotonic clock for durations, independent of the wall clock. */
@FunctionalInterface
public interface MonotonicTime {
  /** Nanoseconds since an arbitrary moment; only differences are meaningful. */
  long nanos();
}
