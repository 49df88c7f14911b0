package io.trimtab.experiments.rivals;

import static io.trimtab.experiments.rivals.Fixtures.level;
import static io.trimtab.experiments.rivals.Fixtures.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AgendaTest {
  private static final Set<Rival> ALL = EnumSet.allOf(Rival.class);

  private static RivalRun failed(Rival rival, int number) {
    return run(rival, number, List.of(), "a node died", level("before", 100, 100));
  }

  @Test
  void rivalsTakeTurnsAndAnotherComesFirstInEachRun() {
    List<Agenda.Turn> due = Agenda.due(List.of(), ALL, 2);

    assertThat(due).hasSize(16);
    assertThat(due.subList(0, 8)).extracting(Agenda.Turn::rival).containsExactly(Rival.values());
    assertThat(due.get(8)).isEqualTo(new Agenda.Turn(Rival.BALANCER, 2));
    assertThat(due.get(15)).isEqualTo(new Agenda.Turn(Rival.NONE, 2));
  }

  @Test
  void whatIsMadeIsNotMadeAgain() {
    List<RivalRun> kept = List.of(run(Rival.MET, 1), run(Rival.NONE, 2));

    assertThat(Agenda.due(kept, EnumSet.of(Rival.MET, Rival.NONE), 2))
        .containsExactly(new Agenda.Turn(Rival.NONE, 1), new Agenda.Turn(Rival.MET, 2));
  }

  @Test
  void aRunThatFailedIsTriedOnceMore() {
    Set<Rival> met = EnumSet.of(Rival.MET);

    assertThat(Agenda.due(List.of(failed(Rival.MET, 1)), met, 1)).hasSize(1);
    assertThat(Agenda.due(List.of(failed(Rival.MET, 1), failed(Rival.MET, 1)), met, 1)).isEmpty();
    assertThat(Agenda.due(List.of(failed(Rival.MET, 1), failed(Rival.MET, 2)), met, 2)).hasSize(2);
  }

  @Test
  void howLongARunTakesIsKnownFromThoseWithAsManyPhases() {
    Duration all = Duration.ofSeconds(240 + 450 + 2 * 330);
    assertThat(Agenda.time(List.of(failed(Rival.MET, 1)), Rival.NONE))
        .isEqualTo(all.plus(Agenda.AROUND));
    assertThat(Agenda.time(List.of(run(Rival.MET, 1)), Rival.NONE))
        .isEqualTo(Duration.ofSeconds(28 * 60 + 30));
    assertThat(Agenda.time(List.of(run(Rival.MET, 1)), Rival.CACHE_AWARE))
        .isEqualTo(Duration.ofSeconds(240 + 450).plus(Agenda.AROUND));
  }

  @Test
  void whereThereIsNoTimeForARunThatIsToldAtOnce() {
    List<Agenda.Turn> due = Agenda.due(List.of(), ALL, 1);

    assertThatThrownBy(
            () -> Agenda.requireTime(List.of(), due, Optional.of(Duration.ofMinutes(15))))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--for: even CacheAwareLoadBalancer on bucket caches, run 1, takes about 19 min, and"
                + " there are 15");
    Agenda.requireTime(List.of(), due, Optional.of(Duration.ofMinutes(20)));
    Agenda.requireTime(List.of(), due, Optional.of(Duration.ofMinutes(100)));
    Agenda.requireTime(List.of(), due, Optional.empty());
    Agenda.requireTime(List.of(), List.of(), Optional.of(Duration.ofMinutes(1)));
  }

  @Test
  void whereThereIsNoTimeForARunAShorterOneIsMade() {
    List<Agenda.Turn> due = Agenda.due(List.of(), ALL, 1);

    assertThat(Agenda.next(List.of(), due, Optional.empty())).contains(due.get(0));
    assertThat(Agenda.next(List.of(), due, Optional.of(Duration.ofMinutes(30))))
        .contains(due.get(0));
    // Of two phases only.
    assertThat(Agenda.next(List.of(), due, Optional.of(Duration.ofMinutes(20))))
        .contains(new Agenda.Turn(Rival.CACHE_AWARE, 1));
    assertThat(Agenda.next(List.of(), due, Optional.of(Duration.ofMinutes(15)))).isEmpty();
    assertThat(Agenda.next(List.of(), List.of(), Optional.empty())).isEmpty();
  }

  @Test
  void aClusterThatIsNotMadeReadyIsItsRivalsFailureIfOthersAre() {
    NotReady notReady = new NotReady();
    List<RivalRun> two = List.of(failed(Rival.MET, 1), failed(Rival.NONE, 2));

    assertThat(notReady.add(two.get(0))).isTrue();
    assertThat(notReady.add(two.get(1))).isTrue();
    assertThat(notReady.taken()).isEqualTo(two);
    assertThat(notReady.taken()).isEmpty();
  }

  /** As where a disk is full: the next command makes the runs of all three. */
  @Test
  void clustersOfThreeRivalsThatAreNotMadeReadyAreNoRivalsFailure() {
    NotReady notReady = new NotReady();

    assertThat(notReady.add(failed(Rival.MET, 1))).isTrue();
    assertThat(notReady.add(failed(Rival.NONE, 2))).isTrue();
    assertThat(notReady.add(failed(Rival.BALANCER, 2))).isFalse();
    // Of one rival alone it is its own.
    NotReady again = new NotReady();
    for (int run = 1; run <= 5; run++) {
      assertThat(again.add(failed(Rival.MET, run))).isTrue();
    }
  }

  /** Three runs of each in ten hours, if preparing takes five minutes. */
  @Test
  void allRunsEndWithinTenHours() {
    Duration sum =
        Agenda.due(List.of(), ALL, 3).stream()
            .map(turn -> Rivals.phases(turn.rival()).plusMinutes(5))
            .reduce(Duration.ZERO, Duration::plus);

    assertThat(sum).isLessThanOrEqualTo(Duration.ofHours(10));
  }

  @Test
  void runsOfAnotherBuildAreNotContinued() {
    List<RivalRun> kept = List.of(run(Rival.MET, 1));
    Map<Rival, List<String>> now =
        Map.of(Rival.MET, List.of("Trimtab 1", "bed: classes 2"), Rival.NONE, List.of("Trimtab 2"));
    List<Agenda.Turn> due = Agenda.due(kept, EnumSet.of(Rival.MET, Rival.NONE), 2);

    assertThatThrownBy(() -> Agenda.requireSame(kept, due, now))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--continue: met was made with 'bed: classes 1', now it would be 'bed: classes 2';"
                + " --rival met --again makes its runs again and keeps the others");
    // What is whole needs nothing of the build that there is now.
    Agenda.requireSame(kept, Agenda.due(kept, EnumSet.of(Rival.MET, Rival.NONE), 1), now);
  }

  @Test
  void rivalsHaveNames() {
    for (Rival rival : Rival.values()) {
      assertThat(Rival.named(rival.key())).isEqualTo(rival);
      assertThat(Rival.of(rival.toString())).isEqualTo(rival);
    }
    assertThatThrownBy(() -> Rival.named("autopilots"))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--rival must be one of none, balancer, balancer-by-requests, met-1, met, autopilot,"
                + " cache-aware, autopilot-on-bucket-caches, not 'autopilots'");
  }
}
