package io.trimtab.experiments.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.lab.testbed.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Of what that which a split does not gain consists. */
class SplitGainTest {
  private static final Offset<Double> EXACTLY = within(1e-9);

  static SplitPart part(SplitLoad load, SplitArm arm, int run, double perSecond) {
    RunResult result =
        new RunResult("", 7, Map.of("t", new double[] {1, perSecond}), 1, 2, 0, 0, 0, 0, 0);
    return new SplitPart(
        load, arm, run, "2026-11-27", result, "", 0.5, 0.98, 0.99, "a source", "read back");
  }

  /** A run of a load: after a split by size 4,000 operations per second. */
  static List<SplitPart> parts(SplitLoad load, int run, double split, double alone) {
    return new ArrayList<>(
        List.of(
            part(load, SplitArm.SIZE, run, 4_000),
            part(load, SplitArm.LOAD, run, split),
            part(load, SplitArm.FIRST, run, alone),
            part(load, SplitArm.SECOND, run, alone)));
  }

  @Test
  void whatNodesAloneDoNotReachEitherIsTheEngines() {
    SplitGain gain = SplitGain.of(parts(SplitLoad.OWN, 1, 6_000, 3_400)).orElseThrow();

    assertThat(gain.measured()).isEqualTo(1.5, EXACTLY);
    assertThat(gain.missing()).isEqualTo(0.5, EXACTLY);
    assertThat(gain.alone()).isEqualTo(1.7, EXACTLY);
    assertThat(gain.engine()).isEqualTo(0.3, EXACTLY);
    assertThat(gain.key()).isEqualTo(0, EXACTLY);
    assertThat(gain.between()).isEqualTo(0.2, EXACTLY);
  }

  /** The busier node serves 60 %: at its most, 3,400, both together serve 5,667. */
  @Test
  void aKeyThatDoesNotHalveTheRequestsHasItsPart() {
    SplitGain gain = new SplitGain(4_000, 5_400, 3_400, 3_400, 0.4);

    assertThat(gain.engine()).isEqualTo(0.3, EXACTLY);
    assertThat(gain.key()).isEqualTo(1.7 - 3_400 / 0.6 / 4_000, EXACTLY);
    assertThat(gain.engine() + gain.key() + gain.between()).isEqualTo(gain.missing(), EXACTLY);
    assertThat(gain.between()).isEqualTo(3_400 / 0.6 / 4_000 - 1.35, EXACTLY);
  }

  @Test
  void aRunOfWhichAMeasurementIsMissingTellsNothing() {
    List<SplitPart> parts = parts(SplitLoad.OWN, 1, 6_000, 3_400);
    parts.remove(3);

    assertThat(SplitGain.of(parts)).isEmpty();
  }
}
