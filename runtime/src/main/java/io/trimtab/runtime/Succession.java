package io.trimtab.runtime;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.formats.SettingsText;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.control.UnreadableStateException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.ClusterState;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes control of a cluster, at once or when the present controller is gone. */
final class Succession {
  /** How requests end that also ask to undo. */
  private static final String UNDO = ", undo";

  /** Commands that take control, for the journal. */
  static final String RUN = "run";

  static final String RELEASE = "release";

  private static final Duration AGAIN = Duration.ofSeconds(1);

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
  Succession(
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

  /** Whether there is a stop request that was made since. */
  boolean asked(Set<String> requests) {
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
  String askedBy(Set<String> requests) {
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
   * Takes control.
   *
   * @param abandon whether what an earlier controller left is discarded if it can't be read
   * @param standby whether to wait while another controller is in charge
   * @return empty if a stop was requested while it waited
   * @throws ControlTakenException without {@code standby}, if another controller is in charge
   */
  Optional<Tenure> begin(boolean abandon, boolean standby) throws EngineException {
    String said = "";
    while (true) {
      try {
        return Optional.of(begin(abandon));
      } catch (ControlTakenException e) {
        if (!standby) {
          throw e;
        }
        if (!said.equals(e.getMessage())) {
          said = e.getMessage();
          context.listener().waiting(said);
        }
      }
      boolean waited = context.ports().waiter().pause(AGAIN, stopping);
      if (!waited || asked(context.engine().shared().stopRequests())) {
        return Optional.empty();
      }
    }
  }

  private Tenure begin(boolean abandon) throws EngineException {
    ControlLock lock = take();
    try {
      return Tenure.begin(lock, context.engine().shared(), state, took(lock));
    } catch (UnreadableStateException e) {
      if (!abandon) {
        throw e;
      }
      ControlLock again = take();
      return Tenure.discarding(again, state, took(again));
    }
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
