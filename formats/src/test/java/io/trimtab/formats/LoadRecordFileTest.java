package io.trimtab.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.config.UserError;
import io.trimtab.controller.learn.NodeLearning;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.models.outlook.RateSeries;
import io.trimtab.models.usage.CostLearner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadRecordFileTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(5);

  @TempDir Path folder;

  @Test
  void aRecordIsReadAsItWasWritten() throws Exception {
    RateSeries series =
        RateSeries.of(STEP, 100)
            .with(NOON, 123.4)
            // Nothing is known of the time in between.
            .with(NOON.plus(STEP.multipliedBy(3)), 56_789)
            .with(NOON.plus(STEP.multipliedBy(4)), 7);
    BusyNodes.Kept busy =
        new BusyNodes.Kept(
            List.of(new BusyNodes.KeptNode("n1:9042", List.of("repair"), NOON, NOON)), NOON);
    NodeLearning.Kept learned =
        new NodeLearning.Kept(
            Map.of(
                3, new NodeLearning.KeptKind(Map.of("cores", "4.0"), CostLearner.NOTHING.kept())),
            Map.of("n1:9042", 3));
    LoadRecord.Kept kept = new LoadRecord.Kept(2, NOON, learned, Map.of("t", series.kept()), busy);
    Path file = folder.resolve("load.json");
    JsonFile.write(file, kept);

    LoadRecord.Kept read = JsonFile.read(file, LoadRecord.Kept.class, "a record of load");
    assertThat(read).isEqualTo(kept);
    assertThat(read.tables().get("t").rates()).containsExactly(123.4, -1.0, -1.0, 56_790.0);
    assertThat(RateSeries.of(read.tables().get("t"), 100).kept()).isEqualTo(series.kept());
    assertThat(LoadRecordFile.read(file).outlooks(STEP)).containsOnlyKeys("t");
    assertThat(LoadRecordFile.read(file).busy().since()).contains(NOON);
    // Older controllers kept none.
    ObjectNode older = JsonMappers.MAPPER.valueToTree(kept);
    older.remove("busy");
    JsonFile.write(file, older);
    assertThat(LoadRecordFile.read(file).busy()).isEqualTo(BusyNodes.NONE);
    assertThat(folder).isDirectoryNotContaining(p -> p.toString().endsWith(".tmp"));
  }

  /** Its costs are of nodes of all kinds as if they were one, and are learned anew. */
  @Test
  void ofARecordWithoutKindsOfNodesThatOfTablesGoesOn() throws Exception {
    ObjectNode older =
        JsonMappers.MAPPER.valueToTree(
            new LoadRecord.Kept(
                2,
                NOON,
                NodeLearning.Kept.NOTHING,
                Map.of("t", RateSeries.of(STEP, 100).with(NOON, 7).kept()),
                BusyNodes.NONE.kept()));
    older.put("schema", 1);
    older.remove("learned");
    older.set("costs", JsonMappers.MAPPER.valueToTree(CostLearner.NOTHING.kept()));
    older.putObject("waits").put("n1:9042", "MACHINE");
    older.put("missesOnce", true);
    Path file = folder.resolve("load.json");
    JsonFile.write(file, older);

    LoadRecord.Kept read = JsonFile.read(file, LoadRecord.Kept.class, "a record of load");

    assertThat(read.schema()).isEqualTo(LoadRecord.Kept.SCHEMA);
    assertThat(read.learned()).isEqualTo(NodeLearning.Kept.NOTHING);
    assertThat(LoadRecordFile.read(file).outlooks(STEP)).containsOnlyKeys("t");
    assertThat(LoadRecordFile.read(file).costs()).isEmpty();
  }

  @Test
  void whatIsNoRecordIsRefused() throws Exception {
    Path file = folder.resolve("load.json");
    for (String text :
        new String[] {
          "",
          "{",
          "{\"schema\": 2, \"at\": \"2026-11-26T12:00:00Z\", \"tables\": {}, \"waits\": {}}",
          "{\"schema\": 1}",
          "{\"schema\": 3, \"at\": \"2026-11-26T12:00:00Z\", \"tables\": {},"
              + " \"learned\": {\"kinds\": {}, \"nodes\": {}}}",
          "{\"schema\": 2, \"at\": \"2026-11-26T12:00:00Z\", \"tables\": {},"
              + " \"learned\": {\"kinds\": {\"0\": {\"node\": {}, \"costs\":"
              + " {\"products\": [[1]], \"cpu\": [1], \"disk\": [1]}}}, \"nodes\": {}}}"
        }) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> LoadRecordFile.read(file))
          .as("%s", text)
          .isInstanceOf(UserError.class)
          .hasMessageStartingWith(file.toString());
    }
  }
}
