package io.trimtab.experiments.bed;

import io.trimtab.experiments.report.ThroughputPlot;
import java.util.List;

/**
 * What the autopilot did during a run under load.
 *
 * @param startedSecond second of the run at which it was started
 * @param firstActionSecond second at which its first action began; −1 when it did not act
 * @param lastActionSecond second at which its last action had ended; −1 when it did not act
 * @param outcome how the plan ended, one word
 * @param summary the plan's own sentence
 * @param actions what was done, a line each
 * @param marks the same on the plot's time axis
 */
public record AutopilotRun(
    int startedSecond,
    int firstActionSecond,
    int lastActionSecond,
    String outcome,
    String summary,
    List<String> actions,
    List<ThroughputPlot.Mark> marks) {

  public boolean acted() {
    return firstActionSecond >= 0;
  }
}
