package io.trimtab.cli.control;

import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.InsideDatabase;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** In words: how far an autopilot is that ends, and what goes on when it has ended. */
final class UnderWay {
  private static final String UNDO = "trimtab release --abandon";

  private UnderWay() {}

  /**
   * As the cluster tells it.
   *
   * @param open the plan that has not ended
   * @param held whether the database's own balancing is still off
   */
  static String of(Optional<Journal.Unfinished> open, boolean held) {
    if (open.isPresent()) {
      String begun = begun(open.get());
      return "tidying up after plan %s: %s%s"
          .formatted(
              open.get().plan().id(), ended(open.get()), begun.isEmpty() ? "" : ", " + begun);
    }
    return held ? "giving back the database's own balancer" : "ending";
  }

  /** As the newest entry of a journal tells it. */
  static String of(Entry newest) {
    if (newest instanceof Entry.PlanStarted started) {
      return "tidying up after plan " + started.plan().id() + ", of which nothing was begun";
    } else if (newest instanceof Entry.ActionStarted begun) {
      return "ending step " + begun.step();
    } else if (newest instanceof Entry.NodeAdded added) {
      return "tidying up after node " + added.node() + " was added";
    } else if (newest instanceof Entry.ActionEnded ended) {
      return "tidying up after step " + ended.step() + ", " + ended.outcome();
    } else if (newest instanceof Entry.PlanEnded) {
      return "giving back the database's own balancer";
    }
    return "ending";
  }

  private static String ended(Journal.Unfinished open) {
    return "%d of %d actions have ended"
        .formatted(open.ended().size(), open.plan().actions().size());
  }

  /** The actions in progress; empty if there are none. */
  private static String begun(Journal.Unfinished open) {
    return actions(open).stream()
        .map(planned -> planned.action().kind() + " " + PlanText.subject(planned.action()))
        .collect(Collectors.joining(", "));
  }

  private static List<PlannedAction> actions(Journal.Unfinished open) {
    return open.plan().actions().stream()
        .filter(planned -> open.begun().containsKey(planned.step()))
        .toList();
  }

  /**
   * What is left when nobody is in charge.
   *
   * @param orderly whether an autopilot has just ended because it was asked to; otherwise one may
   *     have been killed some time ago
   * @param undo whether that was to be undone
   */
  static List<String> left(
      Optional<Journal.Unfinished> open, boolean held, boolean orderly, boolean undo) {
    List<String> lines = new ArrayList<>();
    if (open.isPresent()) {
      lines.add(
          "plan %s is left open, %s%s; the next `trimtab run --act` continues it"
              .formatted(open.get().plan().id(), ended(open.get()), inside(open.get(), orderly)));
      lines.add("to undo it instead: " + UNDO);
    } else if (undo) {
      lines.add("no plan is left open: there is nothing to undo");
    }
    if (held && open.isEmpty()) {
      lines.add("the database's own balancer is still off; to restore it: trimtab release");
    }
    return lines;
  }

  private static String inside(Journal.Unfinished open, boolean orderly) {
    String going =
        actions(open).stream()
            .flatMap(planned -> planned.action().accept(new InsideDatabase()).stream())
            .collect(Collectors.joining(", "));
    if (orderly && !going.isEmpty()) {
      return "; " + going + " inside the database";
    }
    String begun = begun(open);
    return begun.isEmpty() ? "" : "; begun and not ended: " + begun;
  }
}
