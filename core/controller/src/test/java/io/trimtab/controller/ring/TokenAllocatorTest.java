package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.RingRequests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where on a ring new nodes go. */
class TokenAllocatorTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");

  private static Plan plan(int nodes) {
    List<PlannedAction> actions = new ArrayList<>();
    IntStream.rangeClosed(1, nodes)
        .forEach(i -> actions.add(step(i, new Action.AddNode(i, Profile.READ))));
    actions.add(step(nodes + 1, new Action.Cleanup(A)));
    return new Plan("p", "c", Instant.EPOCH, "met", "why", 1, actions);
  }

  private static PlannedAction step(int step, Action action) {
    return new PlannedAction(step, action, "r", "one more node", "c", "u");
  }

  private static List<PlannedAction> chosen(int nodes, RingRequests ring) {
    return TokenAllocator.choose(plan(nodes), ring).actions();
  }

  private static List<Long> tokens(PlannedAction planned) {
    return ((Action.AddNode) planned.action()).tokens();
  }

  /** Requests at tokens, spread evenly from one to the other. */
  private static void even(TreeMap<Long, Long> counts, long from, long to, int keys, long each) {
    for (int i = 0; i < keys; i++) {
      counts.merge(from + (to - from) / keys * i, each, Long::sum);
    }
  }

  private static TreeMap<Long, NodeId> two() {
    return new TreeMap<>(java.util.Map.of(0L, A, 1_000_000L, B));
  }

  @Test
  void theMostLoadedRangeIsHalvedWhereItsRequestsDo() {
    TreeMap<Long, Long> counts = new TreeMap<>();
    // B's range is (0, 1,000,000]; most of its requests lie in its first tenth.
    even(counts, 1, 100_000, 900, 10);
    even(counts, 100_000, 1_000_000, 100, 10);
    even(counts, 1_000_001, 9_000_000, 100, 10);

    List<PlannedAction> actions = chosen(1, new RingRequests(two(), counts, ""));

    assertThat(tokens(actions.get(0))).hasSize(1);
    assertThat(tokens(actions.get(0)).get(0)).isBetween(54_000L, 57_000L);
    assertThat(actions.get(0).effect())
        .isEqualTo("one more node with 45 % of the ring's requests, taken from b:1");
    assertThat(actions.get(1).action()).isEqualTo(new Action.Cleanup(A));
  }

  @Test
  void aRangeThatGoesOverTheEndOfTheRingIsOneRange() {
    TreeMap<Long, Long> counts = new TreeMap<>();
    // A's is (1,000,000, 0]: on from the greatest token to the least.
    even(counts, 2_000_000, Long.MAX_VALUE, 300, 10);
    even(counts, Long.MIN_VALUE, -1, 100, 10);
    even(counts, 1, 1_000_000, 10, 10);

    PlannedAction add = chosen(1, new RingRequests(two(), counts, "")).get(0);

    // 200 of its 400 keys come before: two thirds of the part before the end.
    assertThat((double) tokens(add).get(0)).isBetween(0.65 * Long.MAX_VALUE, 0.68 * Long.MAX_VALUE);
    assertThat(add.effect()).endsWith("49 % of the ring's requests, taken from a:1");
  }

  @Test
  void aSecondNodeHalvesWhatIsMostLoadedAfterTheFirst() {
    TreeMap<Long, Long> counts = new TreeMap<>();
    even(counts, 1, 1_000_000, 1_000, 8);
    even(counts, 1_000_001, 9_000_000, 100, 10);

    List<PlannedAction> actions = chosen(2, new RingRequests(two(), counts, ""));

    assertThat(tokens(actions.get(0)).get(0)).isBetween(490_000L, 510_000L);
    // Both halves are alike, and the first one has the first node.
    assertThat(tokens(actions.get(1)).get(0)).isBetween(240_000L, 760_000L);
    assertThat(tokens(actions.get(1))).isNotEqualTo(tokens(actions.get(0)));
  }

  @Test
  void aNodeGetsAsManyTokensAsOthersHaveAndNeverHalvesItsOwn() {
    TreeMap<Long, NodeId> owners = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      owners.put(1_000_000L * i, i % 2 == 0 ? A : B);
    }
    TreeMap<Long, Long> counts = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      counts.merge(random.nextLong(0, 7_000_000), 1L, Long::sum);
    }

    PlannedAction add = chosen(1, new RingRequests(owners, counts, "")).get(0);

    assertThat(tokens(add)).hasSize(4).isSorted().doesNotHaveDuplicates();
    // Four ranges of seven give a half each.
    assertThat(add.effect())
        .matches("one more node with (28|29|30) % of the ring's requests, taken from a:1, b:1");
  }

  @Test
  void aKeyThatIsMostOfARangeIsNotHalvedButTheNextRangeIs() {
    TreeMap<Long, Long> counts = new TreeMap<>();
    counts.put(500L, 50_000L);
    even(counts, 1_000, 1_000_000, 100, 10);
    even(counts, 1_000_001, 9_000_000, 1_000, 10);

    PlannedAction add = chosen(1, new RingRequests(two(), counts, "")).get(0);

    assertThat(tokens(add).get(0)).isBetween(4_500_000L, 5_500_000L);
    assertThat(add.effect()).contains("taken from a:1");
  }

  /** One range is that of a single token, and one begins at the least number. */
  @Test
  void aNodeThatJoinsInAnothersPlaceGetsTheTokensRightBeforeIts() {
    TreeMap<Long, NodeId> owners = new TreeMap<>();
    owners.put(Long.MIN_VALUE + 1, B);
    owners.put(-500L, A);
    owners.put(-499L, B);
    owners.put(700L, B);
    Plan replaces =
        new Plan(
            "p",
            "c",
            Instant.EPOCH,
            "autopilot",
            "why",
            1,
            List.of(
                step(1, new Action.AddNode(1, Profile.READ)), step(2, new Action.RemoveNode(B))));

    PlannedAction add =
        TokenAllocator.choose(replaces, new RingRequests(owners, new TreeMap<>(), "not sampled"))
            .actions()
            .get(0);

    assertThat(tokens(add)).containsExactly(699L);
    assertThat(add.effect()).isEqualTo("one more node with the ranges of b:1");
    assertThat(tokens(TokenAllocator.choose(replaces, RingRequests.unknown("g")).actions().get(0)))
        .isEmpty();
  }

  @Test
  void otherwiseTheEngineChoosesAndThePlanSaysWhy() {
    TreeMap<Long, Long> few = new TreeMap<>();
    even(few, 1, 1_000_000, 100, 10);
    assertThat(effect(new RingRequests(two(), few, "")))
        .isEqualTo(
            "one more node; the engine chooses its tokens: only 1000 of 2000 requests have been"
                + " seen");

    TreeMap<Long, Long> oneKey = new TreeMap<>();
    oneKey.put(500L, 50_000L);
    assertThat(effect(new RingRequests(two(), oneKey, "")))
        .endsWith("no token halves the requests of enough ranges");

    assertThat(effect(RingRequests.unknown("node b:1 does not answer")))
        .endsWith("the engine chooses its tokens: node b:1 does not answer");
    assertThat(effect(new RingRequests(new TreeMap<>(), oneKey, "")))
        .endsWith("the ring's tokens are not known");
  }

  private static String effect(RingRequests ring) {
    PlannedAction add = chosen(1, ring).get(0);
    assertThat(tokens(add)).isEmpty();
    return add.effect();
  }
}
