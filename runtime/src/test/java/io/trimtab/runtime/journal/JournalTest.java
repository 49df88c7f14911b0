package io.trimtab.runtime.journal;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.config.UserError;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Setbacks;
import io.trimtab.controller.policy.Stability;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.ports.FileJournalStore;
import io.trimtab.runtime.ports.JournalFiles;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      journal.append(held(1));
      journal.append(held(2));
    }
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      assertThat(journal.entries()).containsExactly(held(1), held(2));
    }
  }

  @Test
  void aTornLastLineIsCutOffAndTheNextOneIsWhole() throws IOException {
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      journal.append(held(1));
    }
    Files.writeString(file(), "{\"type\":\"hel", StandardOpenOption.APPEND);
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      journal.append(held(2));
    }
    assertThat(new JournalFiles(folder).all()).containsExactly(held(1), held(2));
  }

  @Test
  void aBrokenLineInTheMiddleIsRefusedWithItsNumber() throws IOException {
    Files.writeString(file(), "nonsense\n{}\n");
    assertThatThrownBy(() -> new Journal(FileJournalStore.open(file())))
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
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      journal.append(new Entry.ActionEnded(NOW, 1, ActionOutcome.DONE, ""));
      journal.append(new Entry.ActionEnded(NOW, 2, ActionOutcome.SKIPPED, ""));
      journal.append(new Entry.ActionEnded(NOW, 3, ActionOutcome.FAILED, "d"));
      journal.append(new Entry.PlanEnded(NOW, "p", PlanOutcome.DONE, "w"));
      journal.append(new Entry.PlanEnded(NOW, "p", PlanOutcome.STOPPED, "w"));
      journal.append(new Entry.PlanEnded(NOW, "", PlanOutcome.ABANDONED, ""));
      assertThat(file()).hasContent(lines);
      assertThat(new JournalFiles(folder).all()).isEqualTo(journal.entries());
    }
  }

  @Test
  void anOutcomeOfANewerProgramIsNamedWithItsLine() throws IOException {
    String line =
        "{\"type\":\"plan-ended\",\"at\":\"2026-01-01T00:00:00Z\",\"planId\":\"p\","
            + "\"outcome\":\"paused\",\"why\":\"w\"}\n";
    Files.writeString(file(), line);
    assertThatThrownBy(() -> new Journal(FileJournalStore.open(file())))
        .isInstanceOf(UserError.class)
        .hasMessage(
            file()
                + ":1: \"paused\" is not a plan's outcome that this version knows: done, stopped,"
                + " abandoned, unfinished, lost, detached, refused");
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
      assertThat(journal.due(NOW, true)).contains("p");
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
      // Five, a reason, and how often it was given.
      assertThat(journal.entries()).hasSize(7);
    }
  }

  @Test
  void plansThatWereAbandonedAreRememberedUntilTheyAreDone() throws Exception {
    Plan plan = new Plan("p", "fake", NOW, "met", "", 1, List.of());
    List<Entry> entries = new ArrayList<>();
    for (PlanOutcome outcome :
        List.of(PlanOutcome.ABANDONED, PlanOutcome.STOPPED, PlanOutcome.ABANDONED)) {
      entries.add(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL));
      entries.add(new Entry.PlanEnded(NOW, "p", outcome, ""));
    }
    Memory memory = JournalState.of(entries).memory();
    assertThat(memory.setbacks().all())
        .singleElement()
        .satisfies(setback -> assertThat(setback.times()).isEqualTo(2));

    // The next controller knows them; an older one left none.
    ObjectNode json = EntryJson.MAPPER.valueToTree(memory);
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(memory);
    JournalState next = JournalState.of(Optional.of(memory), Optional.empty());
    assertThat(next.setbacks()).isEqualTo(memory.setbacks());
    json.remove("setbacks");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class).setbacks())
        .isEqualTo(Setbacks.NONE);

    next.read(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL));
    next.read(new Entry.PlanEnded(NOW, "p", PlanOutcome.DONE, ""));
    assertThat(next.setbacks()).isEqualTo(Setbacks.NONE);
  }

  @Test
  void whichPolicyMadeTheLastPlanIsRememberedAlsoOfOlderControllers() throws Exception {
    List<Entry> entries = new ArrayList<>();
    for (String policy : List.of("met-1", "replace")) {
      String id = policy + "-1767226080000";
      Plan plan = new Plan(id, "fake", NOW, policy, "", 1, List.of());
      entries.add(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL));
      entries.add(new Entry.PlanEnded(NOW, id, PlanOutcome.ABANDONED, ""));
    }
    assertThat(new JournalState().memory().lastPolicy()).isEmpty();
    // What replaces a dead node is no policy's plan.
    assertThat(JournalState.of(entries).memory().lastPolicy()).isEqualTo("met-1");

    Memory memory = JournalState.of(entries.subList(0, 2)).memory();
    JournalState next = JournalState.of(Optional.of(memory), Optional.empty());
    assertThat(next.lastPolicy()).isEqualTo("met-1");
    // Older controllers did not tell it but by the plan's id.
    ObjectNode json = EntryJson.MAPPER.valueToTree(memory);
    json.remove("lastPolicy");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(memory);
    json.put("lastPlan", "upkeep-1767226080000");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class).lastPolicy())
        .as("some policy was there")
        .isEqualTo("an earlier version");
    json.put("lastPlan", "");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class).lastPolicy()).isEmpty();
  }

  @Test
  void whatPlansHaveMovedIsRememberedAlsoByTheNextController() throws Exception {
    PartitionId partition = new PartitionId("t", "x");
    NodeId a = new NodeId("a:1");
    NodeId fresh = new NodeId("new-1");
    NodeId b = new NodeId("b:1");
    Plan plan =
        new Plan(
            "p",
            "fake",
            NOW,
            "met",
            "",
            1,
            List.of(
                new PlannedAction(1, new Action.AddNode(1, Profile.READ), "", "", "", ""),
                new PlannedAction(2, new Action.Move(partition, a, fresh), "", "", "", ""),
                new PlannedAction(3, new Action.RemoveNode(a), "", "", "", "")));
    List<Entry> entries =
        List.of(
            new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL),
            new Entry.NodeAdded(NOW, fresh, b),
            new Entry.ActionEnded(NOW, 1, ActionOutcome.DONE, ""),
            new Entry.ActionEnded(NOW, 2, ActionOutcome.DONE, ""),
            // The removal was not done.
            new Entry.PlanEnded(NOW, "p", PlanOutcome.STOPPED, ""));
    Memory memory = JournalState.of(entries).memory();

    assertThat(memory.stability().moves())
        .containsExactly(new Stability.Moved(NOW, partition, a, b));
    assertThat(memory.stability().sizes()).containsExactly(new Stability.Sized(NOW, 1));
    ObjectNode json = EntryJson.MAPPER.valueToTree(memory);
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(memory);
    ((ObjectNode) json.get("stability")).remove("profiles");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(memory);
    json.remove("stability");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class).stability())
        .isEqualTo(Stability.NONE);
  }

  @Test
  void clientHoursAreLeftToTheNextControllerUntilTheyAreOver() throws Exception {
    JournalState state =
        JournalState.of(List.of(new Entry.ClientsAbove(NOW, "shop", true, 1.5, "shop has more")));
    ObjectNode json = EntryJson.MAPPER.valueToTree(state.memory());
    Memory memory = EntryJson.MAPPER.treeToValue(json, Memory.class);
    assertThat(memory.clientHours()).containsExactly(Map.entry("shop", 1.5));

    JournalState next = JournalState.of(Optional.of(memory), Optional.empty());
    next.read(new Entry.ClientsAbove(NOW, "shop", false, 2, "shop has no more"));
    assertThat(next.memory().clientHours()).isEmpty();
    json.remove("clientHours");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class).clientHours())
        .as("of an earlier version")
        .isEmpty();
  }

  /** Journals are read by the version before, if this one has to be taken back. */
  @Test
  void aStateWithoutSaturatedNodesIsWrittenAsBefore() throws Exception {
    String before = "{\"step\":2,\"first\":false,\"classes\":[],\"boundaries\":[]}";
    PolicyState state = new PolicyState(2, false, List.of(), List.of());
    PolicyState full = state.after(Set.of(new NodeId("n1:1")));

    assertThat(EntryJson.MAPPER.writeValueAsString(state)).isEqualTo(before);
    assertThat(EntryJson.MAPPER.readValue(before, PolicyState.class)).isEqualTo(state);
    String written = EntryJson.MAPPER.writeValueAsString(full);
    assertThat(written).contains("\"full\":[").contains("\"plans\":1");
    assertThat(EntryJson.MAPPER.readValue(written, PolicyState.class)).isEqualTo(full);
    // Which node it was, versions before did not note.
    String older = before.replace("}", ",\"saturated\":2}");
    assertThat(EntryJson.MAPPER.readValue(older, PolicyState.class)).isEqualTo(state);
  }

  private static void assertAfter(Journal journal, PolicyState next) {
    assertThat(journal.unfinished()).isEmpty();
    assertThat(journal.policyState()).isEqualTo(next);
    assertThat(journal.lastPlanEnded()).contains(NOW.plusSeconds(9));
    assertThat(journal.due(NOW, true)).isEmpty();
    assertThat(journal.recentError("m")).isEmpty();
    assertThat(journal.added()).containsEntry(new NodeId("new-1"), new NodeId("n9:1"));
  }

  @Test
  void aReasonThatRepeatsIsCountedAndItsLastWordingIsTold() {
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      for (int i = 0; i < 70; i++) {
        journal.hold(held(i * 2));
      }
      journal.hold(new Entry.Held(NOW.plusSeconds(200), "observe", "a gap", ""));
    }
    List<Entry> all = new JournalFiles(folder).all();
    assertThat(all).hasSize(5);
    assertThat(all.get(0)).isEqualTo(held(0));
    assertThat((Entry.Held) all.get(2))
        .extracting(Entry.Held::reason, Entry.Held::count, Entry.Held::first)
        .containsExactly("reason 120", 61, NOW);
    assertThat((Entry.Held) all.get(3))
        .extracting(Entry.Held::reason, Entry.Held::count, Entry.Held::first)
        .containsExactly("reason 138", 70, NOW);
    assertThat(((Entry.Held) all.get(4)).count()).isEqualTo(1);
    String why = Why.explain(all.subList(0, 3), Clock.fixed(NOW.plusSeconds(130), UTC));
    assertThat(why).contains("reason 120 (guard, 61 times since 2026-01-01T00:00:00Z)");
  }

  @Test
  void aCountIsNotLostWhenAPlanBeginsOrTheJournalEnds() {
    Plan plan = new Plan("p", "fake", NOW, "met", "", 1, List.of());
    try (Journal journal = new Journal(FileJournalStore.open(file()))) {
      for (int i = 0; i < 3; i++) {
        journal.hold(held(i));
      }
      journal.append(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL));
      journal.append(new Entry.PlanEnded(NOW, "p", PlanOutcome.DONE, ""));
      journal.hold(held(10));
      journal.hold(held(11));
    }
    List<Entry> all = new JournalFiles(folder).all();
    assertThat(all).hasSize(6);
    assertThat(((Entry.Held) all.get(1)).count()).isEqualTo(3);
    assertThat(((Entry.Held) all.get(5)).count()).isEqualTo(2);
    assertThat(((Entry.Held) all.get(5)).first()).isEqualTo(NOW.plusSeconds(10));
  }

  @Test
  void readingCutsNothingOff() throws IOException {
    Files.writeString(file(), "{\"type\":\"hel");
    assertThat(new JournalFiles(folder).all()).isEmpty();
    assertThat(file()).hasContent("{\"type\":\"hel");
  }

  @Test
  void whyTellsThePlanThatEndedHereAndNotAnEarlierOne() {
    Plan plan = new Plan("p1", "fake", NOW, "met", "", 1, List.of());
    List<Entry> entries =
        List.of(
            new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL),
            new Entry.PlanEnded(NOW.plusSeconds(60), "p2", PlanOutcome.ABANDONED, "no node came"));

    assertThat(Why.explain(entries, Clock.fixed(NOW.plusSeconds(90), UTC)))
        .isEqualTo(
            "Last plan: p2; its beginning is not in this host's journal."
                + " It ended 30 s ago: abandoned, no node came.");
  }

  @Test
  void whySaysSinceWhenTheBalancerIsHeld() {
    BalancerState on = new BalancerState(true, true);
    Clock later = Clock.fixed(NOW.plusSeconds(600), UTC);
    List<Entry> entries =
        new ArrayList<>(
            List.of(
                new Entry.BalancerHeld(NOW, on, false),
                new Entry.Held(NOW.plusSeconds(30), "met", "all is well", ""),
                new Entry.BalancerHeld(NOW.plusSeconds(60), on, true)));

    assertThat(Why.explain(entries, later))
        .contains("all is well")
        .contains("kept off since 2026-01-01T00:00:00Z, 10 min ago; before: balancer on")
        .contains("Somebody switched it on meanwhile")
        .contains("The setting that would change it: balancer");
    entries.add(new Entry.BalancerReleased(NOW.plusSeconds(90), on));
    assertThat(Why.explain(entries, later)).doesNotContain("kept off");
  }
}
