package io.trimtab.experiments.bed;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.Console;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.AlternativesText;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PlanText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Follows the control loop for the report and the person who watches. */
public final class PlanWatch implements LoopListener {
  private final RunTime time;
  private final Console console;
  private final String label;
  public final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  public final List<ThroughputPlot.Mark> marks = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger moves = new AtomicInteger();
  private volatile String doing = "observing";
  public volatile String summary = "";
  public volatile String why = "";

  private final List<PlanSpan> spans = Collections.synchronizedList(new ArrayList<>());

  /** What decisions have weighed and what came of it, each text where it differs from the last. */
  private final List<String> decisions = Collections.synchronizedList(new ArrayList<>());

  private volatile String lastWeighed = "";

  /** Completed with how the first plan ended. */
  public final CompletableFuture<String> planEnded = new CompletableFuture<>();

  private volatile String lastKind = "";
  private volatile String lastHold = "";
  public volatile int first = -1;
  public volatile int last = -1;

  public PlanWatch(RunTime time, Console console, String label) {
    this.time = time;
    this.console = console;
    this.label = label;
  }

  /** All plans so far. */
  public List<PlanSpan> spans() {
    synchronized (spans) {
      return List.copyOf(spans);
    }
  }

  /** All decisions so far. */
  public List<String> decisions() {
    synchronized (decisions) {
      return List.copyOf(decisions);
    }
  }

  /** The last plan has changed; there is none where an earlier controller's goes on. */
  private void change(UnaryOperator<PlanSpan> how) {
    synchronized (spans) {
      if (!spans.isEmpty()) {
        spans.set(spans.size() - 1, how.apply(spans.get(spans.size() - 1)));
      }
    }
  }

  private void decided(String what) {
    decisions.add("%d s: %s".formatted(time.second(), what));
  }

  @Override
  public void weighed(List<Alternative> alternatives) {
    String table = AlternativesText.table(alternatives);
    if (!table.equals(lastWeighed)) {
      decided("weighed\n" + table);
      lastWeighed = table;
    }
  }

  public void tick() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(300);
        console.live(label + ": " + doing + ", " + moves + " moves done " + time.line());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void sampled(int samples, int needed) {
    doing = "observing, sample " + samples + " of " + needed;
  }

  @Override
  public void held(String by, String reason, String setting) {
    // As the command run does: the same reason is said once.
    if (!lastHold.equals(by + setting)) {
      console.step("no action: " + reason + " (" + by + ")");
      decided("no action: " + reason + " (" + by + ")");
      lastHold = by + setting;
    }
  }

  @Override
  public void lost(String what) {
    console.step(what);
    decided(what);
  }

  @Override
  public void planned(Plan plan, boolean act) {
    summary = plan.summary() + ".";
    spans.add(PlanSpan.begun(time.second(), plan.actions().size()));
    decided("plan of " + plan.actions().size() + " actions: " + plan.summary());
    console.step("plan of " + plan.actions().size() + " actions: " + plan.summary());
  }

  @Override
  public void started(PlannedAction action, int of) {
    if (first < 0) {
      first = time.second();
    }
    String kind = action.action().kind();
    doing = "step " + action.step() + "/" + of + " " + kind;
    boolean news = !kind.equals(lastKind);
    lastKind = kind;
    marks.add(new ThroughputPlot.Mark(time.second(), news ? kind : ""));
    if (news) {
      console.step("step " + action.step() + " of " + of + ": " + kind);
    }
  }

  @Override
  public void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {
    last = time.second();
    String word = outcome.toString();
    if (outcome == ActionOutcome.DONE && action.action().as(Action.Move.class).isPresent()) {
      moves.incrementAndGet();
    }
    lines.add(
        "%3d s: %s %s: %s%s (%s)"
            .formatted(
                last,
                action.action().kind(),
                PlanText.subject(action.action()),
                detail.startsWith(word) ? "" : word,
                detail.isEmpty() || detail.startsWith(word) ? detail : ", " + detail,
                action.reason()));
  }

  @Override
  public void waiting(String reason) {
    console.step("waiting: " + reason);
    lines.add("%3d s: waiting: %s".formatted(time.second(), reason));
  }

  @Override
  public void waits(Plan plan, String reason) {
    change(PlanSpan::waited);
    console.step("the plan waits: " + reason);
    lines.add("%3d s: the plan waits: %s".formatted(time.second(), reason));
  }

  @Override
  public void planEnded(Plan plan, PlanOutcome outcome, String because) {
    change(span -> span.ended(time.second(), outcome.toString(), because));
    decided("plan " + outcome + ": " + because);
    why = "Plan " + outcome + ": " + because + ".";
    planEnded.complete(outcome.toString());
  }
}
