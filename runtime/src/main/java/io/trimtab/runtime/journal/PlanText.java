package io.trimtab.runtime.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.formats.JsonMappers;
import java.util.Locale;

/** Formats plans as text and JSON. */
public final class PlanText {
  private static final Subject SUBJECT = new Subject();

  private PlanText() {}

  /** The object of an action, in a few words. */
  public static String subject(Action action) {
    return action.accept(SUBJECT);
  }

  /** All of a plan; its gain only where one is meant. */
  public static String table(Plan plan) {
    StringBuilder text = new StringBuilder();
    text.append("plan ").append(plan.id()).append(", policy ").append(plan.policy()).append("\n");
    text.append(plan.summary()).append("\n");
    if (plan.gain() > 0) {
      text.append(String.format(Locale.ROOT, "predicted gain %.2f%n", plan.gain()));
    }
    text.append(String.format("%n"));
    for (PlannedAction planned : plan.actions()) {
      text.append(
          String.format(
              "%3d  %-12s %s%n",
              planned.step(), planned.action().kind(), subject(planned.action())));
      text.append("       because  ").append(planned.reason()).append("\n");
      text.append("       effect   ").append(planned.effect()).append("\n");
      text.append("       cost     ").append(planned.cost()).append("\n");
      text.append("       undo     ").append(planned.undo()).append("\n");
    }
    return text.toString().stripTrailing();
  }

  public static String json(Plan plan) {
    try {
      return JsonMappers.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(plan);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan can't be written", e);
    }
  }

  private static final class Subject implements ActionVisitor<String, RuntimeException> {
    @Override
    public String move(Action.Move move) {
      return move.partition() + " " + move.from() + " → " + move.to();
    }

    @Override
    public String split(Action.Split split) {
      return split.partition()
          + " at "
          + split.key()
          + ", right half "
          + split.at()
          + " → "
          + split.rightTo();
    }

    @Override
    public String merge(Action.Merge merge) {
      return merge.left() + " with " + merge.right();
    }

    @Override
    public String reconfigure(Action.Reconfigure change) {
      return change.node()
          + " "
          + change.from().name()
          + " → "
          + change.to().name()
          + ", "
          + change.way().toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public String setNode(Action.SetNode set) {
      return "%s %s %d → %d %s"
          .formatted(set.node(), set.setting().title(), set.from(), set.to(), set.setting().unit());
    }

    @Override
    public String setBlockSize(Action.SetBlockSize size) {
      return size.table() + " " + size.fromBytes() / 1024 + " → " + size.toBytes() / 1024 + " KiB";
    }

    @Override
    public String compact(Action.Compact compact) {
      return compact.partition().toString();
    }

    @Override
    public String addNode(Action.AddNode add) {
      return add.placeholder()
          + " as "
          + add.profile().name()
          + (add.tokens().isEmpty() ? "" : " at " + add.tokens());
    }

    @Override
    public String replaceNode(Action.ReplaceNode replace) {
      return replace.dead() + " by " + replace.placeholder() + " as " + replace.profile().name();
    }

    @Override
    public String cleanup(Action.Cleanup cleanup) {
      return cleanup.node().toString();
    }

    @Override
    public String drainNode(Action.DrainNode drain) {
      return drain.node().toString();
    }

    @Override
    public String removeNode(Action.RemoveNode remove) {
      return remove.node().toString();
    }
  }
}
