package io.trimtab.cli.control;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.SharedState.Holder;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.ports.StateDir;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks autopilots to end, and tells what they do until then and what they leave. */
final class Stopping {
  private static final Logger LOG = LoggerFactory.getLogger(Stopping.class);
  private static final long POLL_MS = 200;

  private final Terminal terminal;
  private final Duration wait;
  private final boolean undo;
  private final String by;

  /**
   * @param wait how long to wait for each to end
   * @param undo whether what goes on inside the database is undone, too
   * @param by who asks
   */
  Stopping(Terminal terminal, Duration wait, boolean undo, String by) {
    this.terminal = terminal;
    this.wait = wait;
    this.undo = undo;
    this.by = by;
  }

  /**
   * Through the cluster, which every controller of it watches.
   *
   * @return whether all have ended in time, and nothing was left that they could not put back
   */
  boolean throughCluster(ControlAccess access) throws EngineException, InterruptedException {
    SharedState shared = access.shared();
    Optional<String> holder = name(shared.holder());
    shared.requestStop(by + (undo ? ", undo" : ""));
    Supplier<List<Long>> here = here(access);
    if (holder.isEmpty()) {
      terminal.line("no autopilot is in charge of this cluster; those that wait for it end");
    }
    long begunNs = System.nanoTime();
    boolean inCharge = holder.isPresent();
    while (inCharge || !here.get().isEmpty()) {
      long waitedNs = System.nanoTime() - begunNs;
      String who = inCharge ? "the autopilot " + holder.get() : processes(here.get());
      String what = inCharge ? underWay(shared) : "ending";
      if (waitedNs > wait.toNanos()) {
        terminal.statusDone();
        terminal.line("not ended yet: %s: %s", who, what);
        return false;
      }
      terminal.status(
          "asked %s to stop, %d s: %s"
              .formatted(who, TimeUnit.NANOSECONDS.toSeconds(waitedNs), what));
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      Optional<Holder> now = shared.holder();
      if (inCharge && name(now).equals(holder) && now.get().life() == Life.GONE) {
        terminal.statusDone();
        terminal.line(
            "the autopilot %s has died, or gives no sign of life any more; see: trimtab status",
            holder.get());
        return true;
      }
      inCharge = holder.isPresent() && name(now).equals(holder);
    }
    terminal.statusDone();
    holder.ifPresent(ended -> terminal.line("the autopilot %s has ended", ended));
    tell(shared, holder.isPresent());
    if (holder.isEmpty()
        || shared.holder().isPresent()
        || ControlDocuments.hold(shared).isEmpty()) {
      return true;
    }
    terminal.problem("the database's own balancing stays off; see: trimtab status");
    return false;
  }

  private static Optional<String> name(Optional<Holder> holder) {
    return holder.map(Holder::name);
  }

  /**
   * A short cut to those of this machine, which do not have to ask the cluster. It is not needed:
   * the request in the cluster is for them, too.
   *
   * @return process ids of those that have not ended yet
   */
  private Supplier<List<Long>> here(ControlAccess access) {
    try {
      return StateDir.of(access.clusterId()).requestStop(undo)::left;
    } catch (EngineException | UserError e) {
      LOG.warn("autopilots of this machine are asked through the cluster only", e);
      return List::of;
    }
  }

  private static String underWay(SharedState shared) {
    try {
      return UnderWay.of(
          ControlDocuments.read(shared).open(), ControlDocuments.hold(shared).isPresent());
    } catch (EngineException e) {
      LOG.warn("what is under way can't be read", e);
      return "tidying up";
    }
  }

  private void tell(SharedState shared, boolean orderly) {
    try {
      Optional<Journal.Unfinished> open = ControlDocuments.read(shared).open();
      boolean held = ControlDocuments.hold(shared).isPresent();
      UnderWay.left(open, held, orderly, undo).forEach(terminal::line);
    } catch (EngineException e) {
      terminal.line("what is left open is not known: %s", e.getMessage());
    }
  }

  /**
   * By files, those of this user on this machine; without the cluster.
   *
   * @param states of the clusters that are meant
   * @return whether all have ended in time, and nothing was left that they could not put back
   */
  boolean here(List<StateDir> states) throws InterruptedException {
    boolean any = false;
    boolean allEnded = true;
    for (StateDir state : states) {
      StateDir.StopRequest request = state.requestStop(undo);
      if (!request.controllers().isEmpty()) {
        any = true;
        allEnded &= ended(state, request);
      }
    }
    if (!any) {
      terminal.line(
          "no autopilot is running here; to stop one on another host, give the cluster's address");
      if (undo) {
        states.forEach(state -> tell(state, false));
      }
    }
    return allEnded;
  }

  private boolean ended(StateDir state, StateDir.StopRequest request) throws InterruptedException {
    long begunNs = System.nanoTime();
    List<Long> left = request.left();
    while (!left.isEmpty() && System.nanoTime() - begunNs <= wait.toNanos()) {
      terminal.status(
          "stopping the autopilot of cluster %s, %d s: %s"
              .formatted(
                  state.clusterId(),
                  TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNs),
                  state.journals().newest().map(UnderWay::of).orElse("ending")));
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      left = request.left();
    }
    terminal.statusDone();
    terminal.line(
        "the autopilot of cluster %s (%s) %s",
        state.clusterId(),
        processes(left.isEmpty() ? request.controllers() : left),
        left.isEmpty() ? "has ended" : "is still shutting down; see: trimtab why");
    if (!left.isEmpty()) {
      return false;
    }
    tell(state, true);
    Optional<String> undone = state.leftUndone();
    undone.ifPresent(terminal::problem);
    return undone.isEmpty();
  }

  private static String processes(List<Long> ids) {
    return (ids.size() == 1 ? "process " : "processes ")
        + ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** From this machine's journal; another host's controller may know better. */
  private void tell(StateDir state, boolean orderly) {
    try {
      UnderWay.left(JournalState.of(state.recorded()).unfinished(), false, orderly, undo).stream()
          .map(line -> "cluster " + state.clusterId() + ": " + line)
          .forEach(terminal::line);
    } catch (UserError e) {
      terminal.line("what is left open is not known: %s", e.getMessage());
    }
  }
}
