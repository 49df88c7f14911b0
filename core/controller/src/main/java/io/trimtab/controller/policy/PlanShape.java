package io.trimtab.controller.policy;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A digest of what a plan changes: the kinds of its actions and the objects that they change. Two
 * plans that change the same things have the same one, in whatever order and to whatever target.
 */
final class PlanShape implements ActionVisitor<String, RuntimeException> {
  private static final int HEX_DIGITS = 16;

  private PlanShape() {}

  static String of(Plan plan) {
    PlanShape objects = new PlanShape();
    MessageDigest digest = sha256();
    plan.actions().stream()
        .map(planned -> planned.action().kind() + " " + planned.action().accept(objects) + "\n")
        .sorted()
        .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest()).substring(0, HEX_DIGITS);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public String move(Action.Move move) {
    return move.partition().toString();
  }

  @Override
  public String split(Action.Split split) {
    return split.partition().toString();
  }

  @Override
  public String merge(Action.Merge merge) {
    return merge.left() + " " + merge.right();
  }

  @Override
  public String reconfigure(Action.Reconfigure change) {
    return change.node().toString();
  }

  @Override
  public String setNode(Action.SetNode set) {
    return set.node() + " " + set.setting();
  }

  @Override
  public String setBlockSize(Action.SetBlockSize size) {
    return size.table();
  }

  @Override
  public String compact(Action.Compact compact) {
    return compact.partition().toString();
  }

  /** Whichever machine it is. */
  @Override
  public String addNode(Action.AddNode add) {
    return "";
  }

  @Override
  public String replaceNode(Action.ReplaceNode replace) {
    return replace.dead().toString();
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
