package io.trimtab.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.models.usage.UsageModel.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementFileTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("model.json.partial");
  }

  private static Measurement measured(String waitSource) {
    return new Measurement(100, 0.5, 0.2, 0.9, 20, waitSource);
  }

  @Test
  void measurementsOfOneKindOfWaitAreContinued() {
    MeasurementFile.of(file(), false).add("idle", measured("DELAY_ACCOUNTING"));

    MeasurementFile resumed = MeasurementFile.of(file(), true);
    resumed.require("DELAY_ACCOUNTING");
    assertThat(resumed.of("idle")).containsExactly(measured("DELAY_ACCOUNTING"));
  }

  @Test
  void thoseOfAnotherKindAreRefused() {
    MeasurementFile.of(file(), false).add("idle", measured("READS_BY_LIMIT"));

    assertThatThrownBy(() -> MeasurementFile.of(file(), true).require("DELAY_ACCOUNTING"))
        .isInstanceOf(UserError.class)
        .hasMessage(
            file()
                + ": has measurements with I/O wait from reads ÷ read limit, a fallback that"
                + " measures no wait, here it is from the block-I/O delay of the node's tasks;"
                + " delete the file to measure all of it");
  }

  @Test
  void thoseOfAnotherNodeAreRefused() {
    MeasurementFile first = MeasurementFile.of(file(), false);
    first.requireNode(Map.of("cores", "2", "ioWait", "PRESSURE"));
    first.add("idle", measured("PRESSURE"));

    MeasurementFile resumed = MeasurementFile.of(file(), true);
    assertThat(resumed.size()).isEqualTo(1);
    assertThat(resumed.of("idle")).containsExactly(measured("PRESSURE"));
    assertThatThrownBy(() -> resumed.requireNode(Map.of("cores", "8")))
        .isInstanceOf(UserError.class)
        .hasMessage(
            file()
                + ": has measurements of a node with 2 cores, this one has 8; delete the file to"
                + " measure all of it");
    resumed.requireNode(Map.of("cores", "2.0"));
    resumed.add("idle", measured("PRESSURE"));
    assertThat(MeasurementFile.of(file(), true).of("idle")).hasSize(2);
  }

  /** Before there were others, every disk was the machine's. */
  @Test
  void aFileThatTellsNoDiskIsOfTheMachines() {
    MeasurementFile first = MeasurementFile.of(file(), false);
    first.requireNode(Map.of("cores", "2"));
    first.add("idle", measured("PRESSURE"));

    assertThatThrownBy(
            () -> MeasurementFile.of(file(), true).requireNode(Map.of("disk", "in memory")))
        .isInstanceOf(UserError.class)
        .hasMessage(
            file()
                + ": has measurements of a node with a disk that is the machine's, this one has"
                + " one that is in memory; delete the file to measure all of it");
    MeasurementFile.of(file(), true).requireNode(Map.of("disk", "the machine's"));
  }

  @Test
  void aFolderThatIsNotThereIsMade() {
    Path file = folder.resolve("new").resolve("model.json.partial");
    MeasurementFile.of(file, true).add("idle", measured("PRESSURE"));
    assertThat(MeasurementFile.of(file, true).size()).isEqualTo(1);
  }

  /** Written before the source was recorded. */
  @Test
  void thoseOfAnUnknownKindAreRefusedToo() throws IOException {
    Files.writeString(
        file(),
        """
        {"idle": [{"opsPerSecond": 0.0, "usage": 0.02, "ioWait": 0.0, "hitRatio": "NaN",
                   "seconds": 20.0}]}
        """);

    MeasurementFile old = MeasurementFile.of(file(), true);
    assertThat(old.size()).isEqualTo(1);
    assertThatThrownBy(() -> old.requireNode(Map.of("cores", "8")))
        .hasMessageContaining("does not tell which node was measured");
    assertThatThrownBy(() -> old.require("DELAY_ACCOUNTING"))
        .hasMessageContaining("I/O wait from a source that was not recorded");
  }
}
