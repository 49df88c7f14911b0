package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.Evaluator.Cost;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of the candidates is taken; all costs are in seconds of a node. */
class ChoiceTest {
  private static final double NODES = 2 * 3_600;
  private static final Cost STAY = new Cost(5_000, 0, 0, NODES, 0, 1, 2);

  private static Choice.Weighed weighed(
      String title, double gain, double change, double nodes, int over) {
    return weighed(title, gain, new Cost(0, 0, 0, nodes, change, 0.9, over));
  }

  private static Choice.Weighed weighed(String title, double gain, Cost cost) {
    return new Choice.Weighed(new Generator.Candidate(title, null), cost, gain, 0);
  }

  private static List<String> ranked(Choice.Weighed... all) {
    return Choice.ranked(STAY, List.of(all)).stream().map(w -> w.candidate().title()).toList();
  }

  @Test
  void whereNothingSufficesTwoMovesGoBeforeManyThatSaveLittleMore() {
    assertThat(
            ranked(
                weighed("300 moves", 1_010, 900, NODES, 1),
                weighed("two moves", 1_000, 6, NODES, 1)))
        .containsExactly("two moves", "300 moves");
  }

  @Test
  void whatSavesNoMoreThanItMayBeOffByIsNotTaken() {
    Choice.Weighed sure = weighed("a move", 300, 2, NODES, 1);
    Choice.Weighed most = weighed("many moves", 2_000, 60, NODES, 0);
    Choice.Weighed unsure = new Choice.Weighed(most.candidate(), most.cost(), most.gain(), 2_001);

    assertThat(ranked(most, sure)).containsExactly("many moves", "a move");
    assertThat(ranked(unsure, sure)).containsExactly("a move");
  }

  /** As each plan is followed by a pause. */
  @Test
  void theSmallestStepIsNotTakenOnlyBecauseItIsCheap() {
    assertThat(
            ranked(
                weighed("many moves", 2_000, 60, NODES, 1),
                weighed("a move", 300, 2, NODES, 1),
                weighed("nothing much", -1, 2, NODES, 1)))
        .containsExactly("many moves", "a move");
  }

  @Test
  void aNodeThatIsAddedIsPartOfThePrice() {
    assertThat(
            ranked(
                weighed("a node", 2_000, 30, NODES + 3_600, 1),
                weighed("moves", 1_900, 300, NODES, 1)))
        .containsExactly("moves", "a node");
  }

  @Test
  void whatSufficesGoesFirstTheCheapestOfItBeforeAll() {
    assertThat(
            ranked(
                weighed("almost", 4_000, 1, NODES, 1),
                weighed("many moves", 3_000, 60, NODES, 0),
                weighed("two moves", 2_900, 6, NODES, 0)))
        .containsExactly("two moves", "many moves", "almost");
  }

  @Test
  void whatKeepsAnAgreementGoesFirstAndNeedNotPay() {
    List<Choice.Weighed> all =
        List.of(
            weighed("two moves", 2_900, 6, NODES, 0),
            weighed("a node", -100, 30, NODES + 3_600, 0),
            weighed("two nodes", -90, 30, NODES + 7_200, 0),
            weighed("nothing much", -1, 2, NODES, 1));
    assertThat(Choice.ranked(STAY, all, w -> w.cost().nodes() > NODES, w -> true))
        .extracting(w -> w.candidate().title())
        .containsExactly("a node", "two nodes", "two moves");
    assertThat(Choice.ranked(STAY, all, w -> false, w -> true)).isEqualTo(Choice.ranked(STAY, all));
  }

  /** Else what spares a table would never be, as it moves more. */
  @Test
  void whatATableLosesIsPartOfWhatItTakesToKeepAnAgreement() {
    Choice.Weighed cheap = weighed("a node", 900, new Cost(500, 400, 0, NODES + 3_600, 30, 0.9, 0));
    Choice.Weighed sparing =
        weighed("a node, sparing a", 800, new Cost(100, 0, 0, NODES + 3_600, 90, 0.9, 0));
    Choice.Weighed dear =
        weighed("a node, sparing all", 700, new Cost(90, 0, 0, NODES + 3_600, 900, 0.9, 0));
    assertThat(Choice.ranked(STAY, List.of(cheap, sparing, dear), w -> true, w -> true))
        .extracting(w -> w.candidate().title())
        .containsExactly("a node, sparing a", "a node", "a node, sparing all");
  }

  /** A grouping anew with one more would keep it by the tables, and leave all nodes full. */
  @Test
  void whatKeepsAnAgreementAndLeavesNodesFullGoesAfterWhatDoesNot() {
    List<Choice.Weighed> all =
        List.of(
            weighed("five nodes", 9_000, 60, NODES + 18_000, 0),
            weighed("six nodes", 8_000, 60, NODES + 21_600, 0),
            weighed("three nodes", 5_000, 60, NODES + 10_800, 1),
            weighed("a node", 300, 900, NODES + 3_600, 3));
    assertThat(Choice.ranked(STAY, all, w -> w.cost().nodes() > NODES, w -> w.cost().over() == 0))
        .extracting(w -> w.candidate().title())
        .containsExactly("five nodes", "six nodes", "three nodes", "a node");
  }
}
