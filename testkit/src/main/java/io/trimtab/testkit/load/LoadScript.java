package io.trimtab.testkit.load;

import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What is asked of a table as a function of time; the same at every call. */
@FunctionalInterface
public interface LoadScript {
  /**
   * What clients ask for a second, whatever becomes of it; where {@link #clients} wait for answers,
   * what one operation of theirs asks for.
   *
   * @param seconds since the cluster began, ≥ 0
   */
  Access at(double seconds);

  /**
   * Clients who wait for answers; empty where nobody does. Either always or never.
   *
   * @param seconds since the cluster began, ≥ 0
   */
  default Optional<ClosedClients> clients(double seconds) {
    return Optional.empty();
  }

  /** The same clients all the time, who wait for answers. */
  static LoadScript closed(ClosedClients clients) {
    return new LoadScript() {
      @Override
      public Access at(double seconds) {
        return clients.operation();
      }

      @Override
      public Optional<ClosedClients> clients(double seconds) {
        return Optional.of(clients);
      }
    };
  }

  static LoadScript constant(Access access) {
    return seconds -> access;
  }

  /** One level after another: {@code factors[i]} times the access, each for so long, then again. */
  static LoadScript steps(Access access, Duration each, double... factors) {
    double period = each.toMillis() / 1000.0;
    return seconds -> access.times(factors[(int) ((long) (seconds / period) % factors.length)]);
  }

  /** A sine over a day: {@code low} times the access at midnight, {@code high} times at noon. */
  static LoadScript daily(Access access, double low, double high) {
    return seconds ->
        access.times(low + (high - low) * (1 - Math.cos(2 * Math.PI * seconds / 86_400)) / 2);
  }

  /** Other scripts from given times on, each with the seconds since the cluster began. */
  static LoadScript from(NavigableMap<Duration, LoadScript> parts) {
    NavigableMap<Double, LoadScript> begins = new TreeMap<>();
    parts.forEach((at, script) -> begins.put(at.toMillis() / 1000.0, script));
    return new LoadScript() {
      private Optional<LoadScript> part(double seconds) {
        return Optional.ofNullable(begins.floorEntry(seconds)).map(Map.Entry::getValue);
      }

      @Override
      public Access at(double seconds) {
        return part(seconds).map(script -> script.at(seconds)).orElse(Access.NONE);
      }

      @Override
      public Optional<ClosedClients> clients(double seconds) {
        return part(seconds).flatMap(script -> script.clients(seconds));
      }
    };
  }
}
