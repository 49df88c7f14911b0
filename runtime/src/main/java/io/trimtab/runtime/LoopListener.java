package io.trimtab.runtime;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import java.time.Duration;
import java.util.List;

/** Is notified of the control loop's progress. */
public interface LoopListener {
  LoopListener SILENT = new LoopListener() {};

  /**
   * What there is to know beside samples, decisions and plans, of whichever kind: whoever does not
   * tell the kinds apart hears it here. A sentence without an end.
   */
  default void remark(String what) {}

  /** A sample was taken; {@code samples} since the start or the last plan. */
  default void sampled(int samples, int needed) {}

  /** What it waits for: the end of another controller, or of the database's own balancing. */
  default void waiting(String why) {}

  /**
   * Before it is refused, this one waits to see whether the controller in charge is still alive.
   *
   * @param most by then the lock of a dead controller has ended
   */
  default void watching(String holder, Duration most) {}

  /** Something that an earlier controller left could not be read and is lost now; a sentence. */
  default void discarded(String what) {
    remark(what);
  }

  /** What a command had taken out of service and what becomes of it; a sentence without an end. */
  default void putBack(String what) {
    remark(what);
  }

  /** What a decision has weighed, the best first, before what came of it is told. */
  default void weighed(List<Alternative> alternatives) {}

  default void held(String by, String reason, String setting) {}

  /** Nodes were lost, or their partitions are served again; a sentence without an end. */
  default void lost(String what) {
    remark(what);
  }

  /** A node has become slow, or is no longer; a sentence without an end. */
  default void slow(String what) {
    remark(what);
  }

  /** A node can't be read, or can be read again; a sentence without an end. */
  default void unread(String what) {
    remark(what);
  }

  /** A tenant has more clients than agreed, or no longer; a sentence without an end. */
  default void clientsAbove(String what) {
    remark(what);
  }

  /** An agreement is missed, or kept again; a sentence without an end. */
  default void agreement(String what) {
    remark(what);
  }

  /** What usage is computed from, at first and when that has changed; a sentence without an end. */
  default void usageFrom(String what) {
    remark(what);
  }

  /** The model is of other nodes than the cluster's, first or in another way; a clause. */
  default void otherModel(String what) {
    remark("warning: " + what);
  }

  /** A plan passed the guard; with {@code act} it is executed now. */
  default void planned(Plan plan, boolean act) {}

  default void started(PlannedAction action, int of) {}

  default void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {}

  /** The plan begins to wait between two actions, for the users or for other work. */
  default void waits(Plan plan, String reason) {}

  default void planEnded(Plan plan, PlanOutcome outcome, String why) {}
}
