package io.trimtab.cli.control;

import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PlanText;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;

/** Says what the loop does; the same reason for doing nothing is said once. */
public final class Narrator implements LoopListener {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Terminal terminal;

  /** Begins each line, where there are several clusters. */
  private final String prefix;

  private String lastHold = "";

  /**
   * @param prefix begins each line, where there are several clusters; else empty
   */
  public Narrator(Terminal terminal, String prefix) {
    this.terminal = terminal;
    this.prefix = prefix;
  }

  void say(String format, Object... arguments) {
    terminal.statusDone();
    terminal.line(LocalTime.now().format(TIME) + " " + prefix + String.format(format, arguments));
  }

  /** The lines of several would only push each other away. */
  private boolean alone() {
    return terminal.isTty() && prefix.isEmpty();
  }

  @Override
  public void sampled(int samples, int needed) {
    if (alone() && samples < needed) {
      terminal.status("observing: sample " + samples + " of " + needed);
    }
  }

  @Override
  public void waiting(String why) {
    say("waiting: %s", why);
  }

  @Override
  public void watching(String holder, Duration most) {
    say("waiting up to %d s to see whether %s is still alive", most.toSeconds(), holder);
  }

  @Override
  public void held(String by, String reason, String setting) {
    String key = by + setting;
    if (!key.equals(lastHold)) {
      say("%s", new HoldReason(by, reason, setting).text());
      lastHold = key;
    }
  }

  @Override
  public void remark(String what) {
    say("%s", what);
  }

  @Override
  public void planned(Plan plan, boolean acts) {
    lastHold = "";
    say("%s", acts ? "carrying out:" : "would carry out, with --act:");
    terminal.line(PlanText.table(plan));
  }

  @Override
  public void started(PlannedAction action, int of) {
    if (alone()) {
      terminal.status(describe(action, of));
    }
  }

  @Override
  public void waits(Plan plan, String reason) {
    say("the plan waits: %s", reason);
  }

  @Override
  public void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {
    String word = outcome.toString();
    String rest = detail.isEmpty() ? word : detail.startsWith(word) ? detail : word + ": " + detail;
    say("%s: %s", describe(action, of), rest);
  }

  @Override
  public void planEnded(Plan plan, PlanOutcome outcome, String why) {
    say("plan %s: %s, %s", plan.id(), outcome, why);
  }

  private static String describe(PlannedAction action, int of) {
    return "step %d of %d, %s %s"
        .formatted(action.step(), of, action.action().kind(), PlanText.subject(action.action()));
  }
}
