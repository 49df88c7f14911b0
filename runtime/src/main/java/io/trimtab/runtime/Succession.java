package io.trimtab.runtime;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.formats.SettingsText;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.control.UnreadableStateException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.ClusterState;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes control of a cluster, at once or when the present controller is gone. */
public final class Succession {
  /** How requests end that also ask to undo. */
  private static final String UNDO = ", undo";

  /** Commands that take control, for the journal. */
  static final String RUN = "run";

  static final String RELEASE = "release";

  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Succession.class);

  private final LoopContext context;
  private final String command;
  private final ClusterState state;
  private final BooleanSupplier stopping;
  private final Set<String> earlierRequests;

  /**
   * @param command that takes control
   * @param earlierRequests to stop, which are not meant for this controller
   * @param stopping whether a stop was requested on this machine
   */
  public Succession(
      LoopContext context,
      String command,
      ClusterState state,
      Set<String> earlierRequests,
      BooleanSupplier stopping) {
    this.context = context;
    this.command = command;
    this.state = state;
    this.stopping = stopping;
    this.earlierRequests = Set.copyOf(earlierRequests);
  }

  /**
   * Control of a cluster for one thing that an operator has ordered.
   *
   * @param here whether a stop was requested on this machine
   */
  public record Ordered(
      ClusterState state, Succession succession, Tenure tenure, BooleanSupplier here)
      implements AutoCloseable {

    /** Whether a stop was requested since, on this machine or through the cluster. */
    public boolean stopAsked() {
      return here.getAsBoolean() || succession.asked(tenure.lock().stopRequests());
    }

    /** As {@link Succession#askedBy}. */
    public String stopAskedBy() {
      return succession.askedBy(tenure.lock().stopRequests());
    }

    @Override
    public void close() {
      tenure.close();
    }
  }

  /**
   * Takes control for an operator's command, without standing by.
   *
   * @param command for the journal
   * @param stop polled; ends the order as the kill switch does
   * @throws EngineException as {@link #begin(boolean, boolean)}
   */
  public static Ordered order(LoopContext context, String command, BooleanSupplier stop)
      throws EngineException {
    Engine engine = context.engine();
    Set<String> earlierStops = engine.shared().stopRequests();
    ClusterState state = context.ports().states().apply(engine.snapshot().clusterId());
    BooleanSupplier here =
        () -> stop.getAsBoolean() || state.stopAsked() || context.ports().waiter().interrupted();
    Succession succession = new Succession(context, command, state, earlierStops, here);
    return new Ordered(state, succession, succession.begin(false, false).orElseThrow(), here);
  }

  /** Whether there is a stop request that was made since. */
  public boolean asked(Set<String> requests) {
    return !earlierRequests.containsAll(requests);
  }

  /** Whether one of them also asks to undo what goes on inside the database. */
  boolean undo(Set<String> requests) {
    return requests.stream()
        .anyMatch(request -> !earlierRequests.contains(request) && request.endsWith(UNDO));
  }

  /**
   * Who requested the stop, on this machine or through the cluster; empty if that is not known, as
   * with a signal.
   */
  public String askedBy(Set<String> requests) {
    return Stream.concat(
            Stream.of(state.stopAskedBy()),
            requests.stream().filter(r -> !earlierRequests.contains(r)).map(Succession::requester))
        .filter(by -> !by.isEmpty())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** Engines write a number that makes it a new request before it. */
  private static String requester(String request) {
    String by = request.replaceFirst("^.*? by ", "");
    return by.endsWith(UNDO) ? by.substring(0, by.length() - UNDO.length()) : by;
  }

  /**
   * Takes control. With {@code standby} it is tried until it succeeds, also while the cluster can't
   * be asked, for whatever has ended the controller before may be why. The lock of a controller
   * that died, on whatever host, lasts for a while: without {@code standby} too, that long is
   * waited, unless the holder is seen to live.
   *
   * @param abandon whether what an earlier controller left is discarded if it can't be read
   * @param standby whether to wait while another controller is in charge
   * @return empty if a stop was requested while it stood by
   * @throws ControlTakenException without {@code standby}, if another controller is in charge, or a
   *     stop was requested before it was known whether one is
   * @throws UnreadableStateException without {@code abandon}, if what an earlier controller left
   *     can't be read
   */
  public Optional<Tenure> begin(boolean abandon, boolean standby) throws EngineException {
    String said = "";
    OptionalLong refusedAtNs = OptionalLong.empty();
    while (true) {
      EngineException why;
      try {
        return Optional.of(begin(abandon));
      } catch (UnreadableStateException e) {
        // Waiting does not mend it.
        throw e;
      } catch (EngineException e) {
        why = e;
      }
      if (standby) {
        said = tell(why, said);
      } else if (why instanceof ControlTakenException taken) {
        refusedAtNs = watched(taken, refusedAtNs);
      } else {
        throw why;
      }
      boolean waited = context.ports().waiter().pause(AGAIN, stopping);
      if (!waited || askedNow(standby)) {
        if (!standby) {
          throw why;
        }
        return Optional.empty();
      }
    }
  }

  /**
   * Tells why this one waits, once for each holder and for each time that the database is away.
   *
   * @param said what was told last
   * @return the same for the next time
   */
  private String tell(EngineException why, String said) {
    boolean taken = why instanceof ControlTakenException;
    String now = taken ? why.getMessage() : "the cluster can't be asked";
    if (!now.equals(said)) {
      context.listener().waiting(why.getMessage());
      LOG.info("waiting for control", why);
    }
    return now;
  }

  private boolean askedNow(boolean standby) throws EngineException {
    try {
      return asked(context.engine().shared().stopRequests());
    } catch (EngineException e) {
      if (!standby) {
        throw e;
      }
      LOG.debug("stop requests could not be read", e);
      return false;
    }
  }

  /**
   * Whether it is worth looking again.
   *
   * @param untilNs when that is not so any more; empty at the first look
   * @return the same, or for the first time
   */
  private OptionalLong watched(ControlTakenException taken, OptionalLong untilNs)
      throws ControlTakenException {
    long nowNs = context.ports().time().nanos();
    Duration most = taken.endsWithin();
    if (most.isZero() || (untilNs.isPresent() && nowNs - untilNs.getAsLong() >= 0)) {
      throw taken;
    }
    if (untilNs.isPresent()) {
      return untilNs;
    }
    context.listener().watching(taken.holder(), most);
    // One more look, after the moment at which the lock has ended.
    return OptionalLong.of(nowNs + most.plus(AGAIN).toNanos());
  }

  private Tenure begin(boolean abandon) throws EngineException {
    ControlLock lock = take();
    SharedState shared = context.engine().shared();
    Tenure tenure =
        abandon
            ? Tenure.discarding(lock, shared, state, took(lock))
            : Tenure.begin(lock, shared, state, took(lock));
    tenure.discarded().forEach(context.listener()::discarded);
    return tenure;
  }

  private ControlLock take() throws EngineException {
    return context.engine().takeControl(context.ports().owner());
  }

  /** A policy is named only where it decides, and settings only where they count. */
  private Entry.Took took(ControlLock lock) {
    return new Entry.Took(
        context.ports().clock().instant(),
        lock.epoch(),
        lock.holder(),
        context.ports().version(),
        command.equals(RUN) ? context.settings().policy().name() : "",
        command.equals(RELEASE) ? "" : SettingsText.of(context.settings()),
        command);
  }
}
