package io.trimtab.runtime.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.engineapi.plan.Plan;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Explains the last action, or the last inaction, from the journal. */
public final class Why {
  private static final int ENTRIES_MAX = 50;

  private Why() {}

  /** An explanation in a few lines. */
  public static String explain(List<Entry> entries, Clock clock) {
    if (entries.isEmpty()) {
      return "Nothing has been decided on this cluster yet; see: trimtab plan";
    }
    StringBuilder text = new StringBuilder();
    Plan plan = null;
    Entry.PlanEnded ended = null;
    Entry.Held held = null;
    Entry.Proposed proposed = null;
    for (Entry entry : entries) {
      if (entry instanceof Entry.PlanStarted start) {
        plan = start.plan();
        ended = null;
        held = null;
        proposed = null;
      } else if (entry instanceof Entry.PlanEnded end) {
        ended = end;
      } else if (entry instanceof Entry.Held hold) {
        held = hold;
      } else if (entry instanceof Entry.Proposed dry) {
        proposed = dry;
      }
    }
    if (plan != null) {
      text.append("Last plan: ")
          .append(plan.id())
          .append(", ")
          .append(plan.actions().size())
          .append(" actions. ")
          .append(plan.summary())
          .append(".\n");
      text.append(
          ended == null
              ? "It has not ended: it is running now, or its controller was killed and the next"
                  + " `trimtab run --act` resumes it.\n"
              : "It ended "
                  + ago(ended, clock)
                  + ": "
                  + ended.outcome()
                  + ", "
                  + ended.why()
                  + ".\n");
    }
    if (proposed != null) {
      text.append("A dry run proposed a plan ")
          .append(ago(proposed, clock))
          .append(": ")
          .append(proposed.plan().summary())
          .append(". It was not carried out because --act was not given.\n");
    }
    if (held != null) {
      text.append("Nothing done since, as of ")
          .append(ago(held, clock))
          .append(": ")
          .append(held.reason())
          .append(" (")
          .append(held.by())
          .append(").\n");
      text.append(
          held.setting().isEmpty()
              ? "No setting changes that.\n"
              : "The setting that would change it: " + held.setting() + "\n");
    }
    return text.toString().stripTrailing();
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

  private static String ago(Entry entry, Clock clock) {
    Duration since = Duration.between(entry.at(), clock.instant());
    return since.toMinutes() > 0
        ? since.toMinutes() + " min ago"
        : Math.max(0, since.toSeconds()) + " s ago";
  }
}
