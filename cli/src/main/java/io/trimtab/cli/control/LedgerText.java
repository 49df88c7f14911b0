package io.trimtab.cli.control;

import io.trimtab.clikit.Table;
import io.trimtab.runtime.journal.NodeUsages;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The ledger of predictions, for people and for programs. */
final class LedgerText {
  private static final String INDENT = "  ";
  private static final String NOT_YET = "not yet";

  /** The next plan began before it could be. */
  private static final String OVERTAKEN = "next plan";

  private LedgerText() {}

  /**
   * A line for each plan, and the mean errors.
   *
   * @param nodes whether there is a line for each node, too
   */
  static String table(List<PredictionResult> plans, boolean nodes) {
    if (plans.isEmpty()) {
      return "no plan with a prediction has been carried out: plans of policies have one, orders of"
          + " persons have none";
    }
    Table table =
        new Table(
            "at",
            ">predicted",
            ">measured",
            ">error",
            ">mean",
            ">worst",
            "worst node",
            "model",
            "actions");
    for (PredictionResult plan : plans) {
      NodeUsages.Errors errors = plan.nodes().errors();
      table.row(
          plan.at().truncatedTo(ChronoUnit.SECONDS),
          number(plan.predicted()),
          plan.known() ? number(plan.measured()) : unmeasured(plan),
          signed(plan.error()),
          number(errors.mean()),
          signed(errors.worst()),
          errors.worstNode(),
          plan.from(),
          String.join(", ", plan.kinds()));
      if (nodes) {
        nodeRows(table, plan);
      }
    }
    StringBuilder text = new StringBuilder(table.toString());
    PredictionLedger.byKind(plans)
        .forEach((kind, error) -> text.append(mean("with " + kind, error)));
    PredictionLedger.byOrigin(plans)
        .forEach((from, error) -> text.append(mean("predicted from " + from.title(), error)));
    return text.toString().stripTrailing();
  }

  private static String mean(String of, double error) {
    return "mean error " + of + ": " + number(error) + "\n";
  }

  private static void nodeRows(Table table, PredictionResult plan) {
    List<NodeUsages.Line> lines = plan.nodes().lines();
    if (lines.isEmpty()) {
      // Of an earlier version.
      table.row(INDENT + "nodes unknown", "", "", "", "", "", "", "", "");
    }
    for (NodeUsages.Line line : lines) {
      table.row(
          INDENT + line.node(),
          came(line) ? "came" : number(line.predicted()),
          measured(plan, line),
          signed(line.error()),
          "",
          "",
          "",
          "",
          "");
    }
  }

  private static String measured(PredictionResult plan, NodeUsages.Line line) {
    if (left(plan, line)) {
      return "left";
    }
    return Double.isNaN(line.measured()) ? unmeasured(plan) : number(line.measured());
  }

  private static String unmeasured(PredictionResult plan) {
    return plan.overtaken() ? OVERTAKEN : NOT_YET;
  }

  private static boolean came(NodeUsages.Line line) {
    return Double.isNaN(line.predicted());
  }

  private static boolean left(PredictionResult plan, NodeUsages.Line line) {
    return Double.isNaN(line.measured()) && !plan.nodes().measured().isEmpty();
  }

  /** Nothing where a number is not known. */
  private static String number(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String signed(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%+.2f", value);
  }

  /**
   * All that is known, to be written as JSON.
   *
   * @param usage what the nodes' usage was computed from
   */
  static Map<String, Object> json(List<PredictionResult> plans, String usage) {
    Map<String, Double> byModel = new LinkedHashMap<>();
    PredictionLedger.byOrigin(plans).forEach((from, error) -> byModel.put(from.toString(), error));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("plans", plans.stream().map(LedgerText::json).toList());
    all.put("meanErrorByKind", PredictionLedger.byKind(plans));
    all.put("meanErrorByModel", byModel);
    all.put("usage", usage);
    return all;
  }

  private static Map<String, Object> json(PredictionResult plan) {
    NodeUsages.Errors errors = plan.nodes().errors();
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("at", plan.at().toString());
    of.put("plan", plan.planId());
    of.put("model", plan.model());
    of.put("predictedFrom", plan.from().toString());
    of.put("kinds", plan.kinds());
    of.put("predicted", plan.predicted());
    of.put("measured", known(plan.measured()));
    of.put("overtaken", plan.overtaken());
    of.put("meanError", known(errors.mean()));
    of.put("worstError", known(errors.worst()));
    of.put("worstNode", errors.known() ? errors.worstNode() : null);
    of.put("nodes", plan.nodes().lines().stream().map(line -> json(plan, line)).toList());
    return of;
  }

  private static Map<String, Object> json(PredictionResult plan, NodeUsages.Line line) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("node", line.node());
    of.put("predicted", known(line.predicted()));
    of.put("measured", known(line.measured()));
    of.put("error", known(line.error()));
    of.put("came", came(line));
    of.put("left", left(plan, line));
    return of;
  }

  /** JSON has no number that is none. */
  private static Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
