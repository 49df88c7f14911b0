package io.trimtab.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.Bytes;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.usage.NodeKind.Difference;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Before hours are spent on another node than the one that was asked for. */
class LimitsInForceTest {
  private static final NodeSpec NODE =
      TestbedSettings.modelled().node().with(2, 150).with(Bytes.parse("2g"));

  private static Optional<Difference> other(String cores, String memory, String reads) {
    return ModelBuild.otherLimits(
        NODE, Map.of("cores", cores, "memory", memory, "diskReadsPerSecond", reads));
  }

  @Test
  void theNodeThatWasAskedForIsMeasured() {
    assertThat(other("2", "2g", "150")).isEmpty();
  }

  @Test
  void eachLimitThatIsNotInForceIsNamed() {
    assertThat(other("8", "2g", "150")).contains(new Difference("2 cores", "8"));
    assertThat(other("2", "840m", "150")).contains(new Difference("2g of memory", "840m"));
    assertThat(other("2", "2g", "0"))
        .contains(new Difference("150 disk reads a second", "no such limit"));
    assertThat(ModelBuild.otherLimits(NODE, Map.of("cores", "2")))
        .contains(new Difference("2g of memory", "no such limit"));
  }

  @Test
  void aPartOfAPageIsNoOtherLimit() {
    NodeSpec odd = NODE.with(new Bytes((2L << 30) + 1_000));
    Map<String, String> inForce = Map.of("cores", "2", "memory", "2g", "diskReadsPerSecond", "150");

    assertThat(ModelBuild.otherLimits(odd, inForce)).isEmpty();
  }
}
