package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;

  private static Entry.Held held(int second) {
    return new Entry.Held(NOW.plusSeconds(second), "guard", "reason " + second, "guard.cooldown");
  }

  private Path file() {
    return folder.resolve("journal.jsonl");
  }

  @Test
  void whatWasWrittenIsReadBack() {
    try (Journal journal = Journal.open(folder)) {
      journal.append(held(1));
      journal.append(held(2));
    }
    try (Journal journal = Journal.open(folder)) {
      assertThat(journal.entries()).containsExactly(held(1), held(2));
    }
  }

  @Test
  void aTornLastLineIsCutOffAndTheNextOneIsWhole() throws IOException {
    try (Journal journal = Journal.open(folder)) {
      journal.append(held(1));
    }
    Files.writeString(file(), "{\"type\":\"hel", StandardOpenOption.APPEND);
    try (Journal journal = Journal.open(folder)) {
      journal.append(held(2));
    }
    assertThat(Journal.all(folder)).containsExactly(held(1), held(2));
  }

  @Test
  void aBrokenLineInTheMiddleIsRefusedWithItsNumber() throws IOException {
    Files.writeString(file(), "nonsense\n{}\n");
    assertThatThrownBy(() -> Journal.open(folder))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("journal.jsonl:1: ");
  }

  @Test
  void outcomesAreTheSameWordsAsEver() throws IOException {
    String lines =
        """
        {"type":"action-ended","at":"2026-01-01T00:00:00Z","step":1,"outcome":"done","detail":""}
        {"type":"action-ended","at":"2026-01-01T00:00:00Z","step":2,"outcome":"skipped","detail":""}
        {"type":"action-ended","at":"2026-01-01T00:00:00Z","step":3,"outcome":"failed","detail":"d"}
        {"type":"plan-ended","at":"2026-01-01T00:00:00Z","planId":"p","outcome":"done","why":"w"}
        {"type":"plan-ended","at":"2026-01-01T00:00:00Z","planId":"p","outcome":"stopped","why":"w"}
        {"type":"plan-ended","at":"2026-01-01T00:00:00Z","planId":"","outcome":"abandoned","why":""}
        """;
    try (Journal journal = Journal.open(folder)) {
      journal.append(new Entry.ActionEnded(NOW, 1, ActionOutcome.DONE, ""));
      journal.append(new Entry.ActionEnded(NOW, 2, ActionOutcome.SKIPPED, ""));
      journal.append(new Entry.ActionEnded(NOW, 3, ActionOutcome.FAILED, "d"));
      journal.append(new Entry.PlanEnded(NOW, "p", PlanOutcome.DONE, "w"));
      journal.append(new Entry.PlanEnded(NOW, "p", PlanOutcome.STOPPED, "w"));
      journal.append(new Entry.PlanEnded(NOW, "", PlanOutcome.ABANDONED, ""));
      assertThat(file()).hasContent(lines);
      assertThat(Journal.all(folder)).isEqualTo(journal.entries());
    }
  }

  @Test
  void anOutcomeOfANewerProgramIsNamedWithItsLine() throws IOException {
    String line =
        "{\"type\":\"plan-ended\",\"at\":\"2026-01-01T00:00:00Z\",\"planId\":\"p\","
            + "\"outcome\":\"paused\",\"why\":\"w\"}\n";
    Files.writeString(file(), line);
    assertThatThrownBy(() -> Journal.open(folder))
        .isInstanceOf(UserError.class)
        .hasMessage(
            file()
                + ":1: \"paused\" is not a plan's outcome that this version knows: done, stopped,"
                + " abandoned, unfinished");
    assertThat(file()).hasContent(line);
  }

  /** Its lines are read when it is opened, and not when something is asked of it. */
  @Test
  void whatDecisionsNeedIsKeptInMemory() {
    int[] reads = new int[1];
    JournalStore counted =
        new JournalStore() {
          private final MemoryJournalStore lines = new MemoryJournalStore();

          @Override
          public String name() {
            return lines.name();
          }

          @Override
          public List<String> lines() {
            reads[0]++;
            return lines.lines();
          }

          @Override
          public void append(String line) {
            lines.append(line);
          }

          @Override
          public void close() {
            lines.close();
          }
        };
    Plan plan = new Plan("p", "fake", NOW, "usage", "", 1, List.of());
    PolicyState next = new PolicyState(2, false, List.of(), List.of());
    try (Journal journal = new Journal(counted)) {
      journal.append(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, next));
      journal.append(new Entry.NodeAdded(NOW, new NodeId("new-1"), new NodeId("n9:1")));
      assertThat(journal.unfinished().orElseThrow().added())
          .containsEntry(new NodeId("new-1"), new NodeId("n9:1"));
      journal.append(new Entry.PlanEnded(NOW.plusSeconds(9), "p", PlanOutcome.DONE, ""));
      journal.append(new Entry.Predicted(NOW, "p", "m", List.of("move"), 0.5));
      assertThat(journal.unmeasured()).contains("p");
      journal.append(new Entry.Measured(NOW, "p", 0.4));
      for (int i = 0; i < 3; i++) {
        journal.hold(held(i));
      }
      assertAfter(journal, next);
      assertThat(reads[0]).isEqualTo(1);
    }
    // Another one that reads the same lines comes to the same.
    try (Journal journal = new Journal(counted)) {
      assertAfter(journal, next);
      assertThat(reads[0]).isEqualTo(2);
      assertThat(journal.entries()).hasSize(6);
    }
  }

  private static void assertAfter(Journal journal, PolicyState next) {
    assertThat(journal.unfinished()).isEmpty();
    assertThat(journal.policyState()).isEqualTo(next);
    assertThat(journal.lastPlanEnded()).contains(NOW.plusSeconds(9));
    assertThat(journal.unmeasured()).isEmpty();
    assertThat(journal.recentError("m")).isEmpty();
  }

  @Test
  void aDryRunBesideAControllerDisturbsNothing() throws IOException {
    try (Journal acting = Journal.open(folder)) {
      acting.append(held(1));
      try (Journal dry = Journal.dry(folder)) {
        assertThat(dry.entries()).containsExactly(held(1));
        dry.append(held(3));
        acting.append(held(2));
      }
    }
    assertThat(Files.readAllLines(file())).hasSize(2);
    assertThat(Journal.all(folder)).isEqualTo(List.of(held(1), held(2), held(3)));
  }

  @Test
  void readingCutsNothingOff() throws IOException {
    Files.writeString(file(), "{\"type\":\"hel");
    assertThat(Journal.all(folder)).isEmpty();
    assertThat(file()).hasContent("{\"type\":\"hel");
  }
}
