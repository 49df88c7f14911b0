package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.UnreadableStateException;
import io.trimtab.runtime.journal.PlanOutcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever document can't be read, and why: nothing is done until a person lets go of it. */
class UnreadableDocumentsTest extends SafetyFixture {
  private static final BalancerState ON = new BalancerState(true, true);
  private static final String CHECKSUM = "its checksum is wrong";
  private static final String PIECE = "piece 2 of 3 is missing";
  private static final String NEWER = "format 9";

  private final List<String> told = new ArrayList<>();

  static Stream<Arguments> damages() {
    return Stream.of("plan", "progress", "memory", "balancer")
        .flatMap(
            document ->
                Stream.of(CHECKSUM, PIECE, NEWER).map(damage -> Arguments.of(document, damage)));
  }

  /** An open plan, with the balancer held as it was on. */
  private void left(String document, String damage) throws Exception {
    leave(here);
    cluster.engine().setBalancer(BalancerState.PAUSED);
    write("balancer", "{\"format\":1,\"before\":{\"balancer\":true,\"normalizer\":true}}");
    assertThat(ControlDocuments.hold(cluster.control())).contains(ON);
    if (damage.equals(NEWER)) {
      write(document, "{\"format\":9}");
    } else {
      cluster.control().damage(document, damage);
    }
  }

  private void write(String document, String text) {
    cluster.control().overwrite(document, text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void itIsRefusedWithTheWayOut(String document, String damage) throws Exception {
    left(document, damage);
    assertThatThrownBy(() -> run(elsewhere, FaultPoints.NONE))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("'" + document + "'")
        .hasMessageContaining(damage)
        .hasMessageContaining("--abandon");
    assertThat(moves()).isZero();
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
    try (ControlLock next = cluster.engine().takeControl("next")) {
      assertThat(next.held()).as("the refused one holds no lock").isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("damages")
  void abandonDiscardsWhatCantBeReadAndNothingElse(String document, String damage)
      throws Exception {
    left(document, damage);
    ControlLoop loop = abandoning();
    loop.stop();
    loop.run(true, 0, true);

    assertThat(moves()).isZero();
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
    assertThat(ControlDocuments.hold(cluster.control())).isEmpty();
    assertThat(told).hasSize(1);
    if (document.equals("balancer")) {
      assertThat(told.get(0)).contains("balancer").contains("by hand");
      assertThat(ended).as("the plan can be read, and is tidied up").hasSize(1);
    } else {
      assertThat(told.get(0)).contains("plan").doesNotContain("balancer");
      assertThat(ended).isEmpty();
    }
    // From the document, or from the plan, which knows it too.
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(ON);
    // And the next one finds nothing in its way.
    run(here, FaultPoints.NONE);
  }

  private ControlLoop abandoning() {
    LoopListener listener =
        new LoopListener() {
          @Override
          public void discarded(String what) {
            told.add(what);
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            ended.add(outcome + ": " + why);
          }
        };
    return new ControlLoop(
        cluster.engine(),
        Optional.of(cluster.provider()),
        settings,
        listener,
        ports(elsewhere),
        FaultPoints.NONE);
  }
}
