package io.trimtab.engineapi.snapshot;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How far a node that lives could be read. One that could not is not dead: it may serve.
 *
 * @param failure why it could not be read at all, a sentence that is also among the snapshot's
 *     gaps; empty if it was read, or is dead
 * @param unreadS seconds since it was last read, ≥ 0, if its other values are those of then; empty
 *     if it was read now, or never
 * @param missing what is not known of it although a metric source was to tell it, a clause each
 */
public record NodeRead(Optional<String> failure, OptionalDouble unreadS, List<String> missing) {
  /** Of a node that was read. */
  public static final NodeRead WHOLE =
      new NodeRead(Optional.empty(), OptionalDouble.empty(), List.of());

  public NodeRead {
    failure = failure == null ? Optional.empty() : failure;
    unreadS = unreadS == null ? OptionalDouble.empty() : unreadS;
    missing = missing == null ? List.of() : List.copyOf(missing);
  }

  /** Of a node that could not be read now. */
  public static NodeRead failed(String why) {
    return new NodeRead(Optional.of(why), OptionalDouble.empty(), List.of());
  }

  /** The same, with values of a node that was read some time ago. */
  public NodeRead since(double seconds) {
    return new NodeRead(failure, OptionalDouble.of(Math.max(0, seconds)), missing);
  }

  /** The same with what is missing. */
  public NodeRead lacking(List<String> what) {
    return new NodeRead(failure, unreadS, what);
  }
}
