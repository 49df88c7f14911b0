package io.trimtab.runtime.journal;

import static java.time.temporal.ChronoUnit.SECONDS;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.controller.agreement.Compliance;
import io.trimtab.engineapi.plan.Plan;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Explains the last action, or the last inaction, from the journal. */
public final class Why {
  private static final int ENTRIES_MAX = 50;
  private static final String NOTHING =
      "Nothing has been decided on this cluster yet; see: trimtab plan";

  private Why() {}

  /** An explanation in a few lines, and what the usage in it was computed from. */
  public static String explain(List<Entry> entries, Clock clock) {
    return explain(entries, List.of(), clock);
  }

  /**
   * The same of controllers and of the last dry run: what that one did not do says nothing of what
   * a controller does, as its settings may be others.
   *
   * @param entries of both
   * @param dry those of the dry run
   */
  public static String explain(List<Entry> entries, List<Entry> dry, Clock clock) {
    String decided = decided(entries, Set.copyOf(dry), clock);
    return usageFrom(entries).map(what -> decided + "\n" + what + ".").orElse(decided);
  }

  private static String decided(List<Entry> entries, Set<Entry> dry, Clock clock) {
    if (entries.isEmpty()) {
      return NOTHING;
    }
    StringBuilder text = new StringBuilder();
    Entry.Took controller = null;
    Entry.ControlLost lost = null;
    Plan plan = null;
    Entry.PlanEnded ended = null;
    Entry.Held held = null;
    Entry.Held idle = null;
    Entry.Proposed proposed = null;
    BalancerOff balancer = BalancerOff.NO;
    for (Entry entry : entries) {
      balancer = balancer.after(entry);
      if (entry instanceof Entry.Took took) {
        controller = took;
        lost = null;
      } else if (entry instanceof Entry.ControlLost end) {
        lost = end;
      } else if (entry instanceof Entry.PlanStarted start) {
        plan = start.plan();
        ended = null;
        held = null;
        idle = null;
        proposed = null;
      } else if (entry instanceof Entry.PlanEnded end) {
        if (plan != null && !plan.id().equals(end.planId())) {
          // It was begun on another host, or in a file that is deleted.
          plan = null;
        }
        ended = end;
      } else if (entry instanceof Entry.Held hold) {
        held = dry.contains(hold) ? held : hold;
        idle = dry.contains(hold) ? hold : idle;
      } else if (entry instanceof Entry.Proposed would) {
        proposed = would;
        idle = null;
      }
    }
    if (plan != null) {
      text.append(told(plan, ended, clock));
    } else if (ended != null) {
      text.append(
          "Last plan: %s; its beginning is not in this host's journal. %s"
              .formatted(ended.planId(), told(ended, clock)));
    }
    if (lost != null) {
      String who = controller == null ? "A controller" : controller.owner();
      text.append(
          "%s stopped acting %s: %s. Nothing was touched from then on.\n"
              .formatted(who, ago(lost, clock), lost.why()));
    }
    if (proposed != null) {
      text.append(
          ("A dry run, or `trimtab plan`, proposed a plan %s: %s. It was not carried out, as such a"
                  + " run carries out nothing.\n")
              .formatted(ago(proposed, clock), proposed.plan().summary()));
    }
    if (idle != null) {
      text.append(told("A dry run, or `trimtab plan`, would do nothing", idle, clock));
    }
    if (held != null) {
      text.append(told("Nothing done since", held, clock));
    }
    balancer.told(clock).ifPresent(text::append);
    text.append(besides(entries, clock));
    return text.isEmpty() ? NOTHING : text.toString().stripTrailing();
  }

  /** Nodes, clients and agreements that decisions have to do with. */
  private static String besides(List<Entry> entries, Clock clock) {
    StringBuilder text = new StringBuilder();
    unread(entries).forEach(node -> text.append(told(node, clock)));
    slow(entries).forEach(node -> text.append(told(node, clock)));
    above(entries).forEach(clients -> text.append(told(clients, clock)));
    agreements(entries).stream()
        .filter(seen -> seen.verdict() == Compliance.Verdict.MISSED)
        .forEach(seen -> text.append(told(seen, clock)));
    return text.toString();
  }

  /**
   * The engine's own balancing, as it is kept off between plans.
   *
   * @param since empty while it is not
   * @param again whether somebody has switched it on since
   */
  private record BalancerOff(Optional<Entry.BalancerHeld> since, boolean again) {
    static final BalancerOff NO = new BalancerOff(Optional.empty(), false);

    BalancerOff after(Entry entry) {
      if (entry instanceof Entry.BalancerReleased) {
        return NO;
      }
      if (entry instanceof Entry.BalancerHeld held) {
        return new BalancerOff(since.or(() -> Optional.of(held)), again || held.again());
      }
      return this;
    }

    Optional<String> told(Clock clock) {
      return since.map(
          held ->
              """
              The database's own balancer is kept off since %s, %s; \
              before: balancer %s, normalizer %s.%s
              It comes back when the autopilot ends; if that was killed: trimtab release
              The setting that would change it: balancer
              """
                  .formatted(
                      held.at().truncatedTo(SECONDS),
                      ago(held, clock),
                      held.before().balancer() ? "on" : "off",
                      held.before().normalizer() ? "on" : "off",
                      again
                          ? " Somebody switched it on meanwhile; it was switched off again."
                          : ""));
    }
  }

  private static String told(Plan plan, Entry.PlanEnded ended, Clock clock) {
    String end =
        ended == null
            ? "It has not ended: it is running now, or its controller was killed and the next"
                + " `trimtab run --act` resumes it.\n"
            : told(ended, clock);
    return "Last plan: %s, %d actions. %s.\n%s"
        .formatted(plan.id(), plan.actions().size(), plan.summary(), end);
  }

  private static String told(Entry.PlanEnded ended, Clock clock) {
    return "It ended %s: %s, %s.\n".formatted(ago(ended, clock), ended.outcome(), ended.why());
  }

  /** Nodes that are slow, by name, with what was told of them last. */
  public static Collection<Entry.Slow> slow(List<Entry> entries) {
    return JournalState.of(entries).slow().values();
  }

  /** Nodes that can't be read, by name. */
  public static Collection<Entry.Unread> unread(List<Entry> entries) {
    return JournalState.of(entries).unread().values();
  }

  /** What the nodes' usage was last computed from; a sentence without an end. */
  public static Optional<String> usageFrom(List<Entry> entries) {
    return JournalState.of(entries).waits().map(Entry.WaitsFrom::text);
  }

  /** What was told last of clients above the agreed number, by tenant, while there are any. */
  public static Collection<Entry.ClientsAbove> above(List<Entry> entries) {
    return JournalState.of(entries).above().values();
  }

  /** How agreements are kept, by tenant, as it was told last. */
  public static Collection<Entry.AgreementSeen> agreements(List<Entry> entries) {
    return JournalState.of(entries).agreements().values();
  }

  private static String told(Entry.AgreementSeen seen, Clock clock) {
    return """
        Missed agreement, as of %s: %s since %s: %s.
        Until it is kept again no further one is admitted: trimtab slo admit
        """
        .formatted(
            ago(seen, clock), seen.tenant(), seen.since().truncatedTo(SECONDS), seen.measured());
  }

  private static String told(Entry.ClientsAbove clients, Clock clock) {
    return """
        More clients than agreed, as of %s: %s.
        The setting that would change it: clients of the agreement
        """
        .formatted(ago(clients, clock), clients.what());
  }

  private static String told(Entry.Unread node, Clock clock) {
    return """
        Unreadable node, since %s: %s.
        It counts as it was last seen (health.unreadGrowth); the others are decided on without it, \
        up to guard.badNodesMax
        """
        .formatted(ago(node, clock), node.what());
  }

  private static String told(Entry.Slow node, Clock clock) {
    if (Boolean.TRUE.equals(node.byPeers())) {
      return """
          Slow node, as of %s: %s.
          With HBase, policy: autopilot moves partitions off it if its answers are late; no other \
          policy does anything about it. The settings: health.slowTimes, health.slowFor
          """
          .formatted(ago(node, clock), node.what());
    }
    return """
        Slow node, as of %s: %s.
        Only policy: autopilot does something about it. How it is seen now: \
        trimtab why %s, with the cluster's address
        """
        .formatted(ago(node, clock), node.what(), node.node());
  }

  private static String told(String what, Entry.Held held, Clock clock) {
    String setting =
        held.setting().isEmpty()
            ? "No setting changes that.\n"
            : "The setting that would change it: " + held.setting() + "\n";
    return "%s, as of %s: %s (%s%s).\n%s"
        .formatted(
            what,
            ago(held, clock),
            held.reason(),
            held.by(),
            held.count() > 1 ? times(held) : "",
            setting);
  }

  /** The explanation as JSON: its lines, and the newest journal entries. */
  public static String json(List<Entry> entries, Clock clock) {
    List<Entry> newest = entries.subList(Math.max(0, entries.size() - ENTRIES_MAX), entries.size());
    ObjectNode root = EntryJson.MAPPER.createObjectNode();
    ArrayNode lines = root.putArray("explanation");
    explain(entries, clock).lines().forEach(lines::add);
    ArrayNode noted = root.putArray("entries");
    try {
      for (Entry entry : newest) {
        noted.add(
            EntryJson.MAPPER.readTree(
                EntryJson.MAPPER.writerFor(Entry.class).writeValueAsString(entry)));
      }
      return EntryJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("journal entries can't be written", e);
    }
  }

  private static String times(Entry.Held held) {
    return ", %d times since %s".formatted(held.count(), held.first().truncatedTo(SECONDS));
  }

  private static String ago(Entry entry, Clock clock) {
    Duration since = Duration.between(entry.at(), clock.instant());
    return since.toMinutes() > 0
        ? since.toMinutes() + " min ago"
        : Math.max(0, since.toSeconds()) + " s ago";
  }
}
