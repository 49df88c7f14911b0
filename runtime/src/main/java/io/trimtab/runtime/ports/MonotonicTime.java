package io.trimtab.runtime.ports;

/** What durations are measured with: it never goes back, whatever happens to the wall clock. */
@FunctionalInterface
public interface MonotonicTime {
  /** Nanoseconds since some moment in the past; only differences mean anything. */
  long nanos();
}
