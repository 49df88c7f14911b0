package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LabStatusTest {
  private static LabStatus status(OptionalLong service, OptionalLong node, int serving) {
    LabNode n1 =
        new LabNode(
            new NodeId("127.0.0.11:16020"),
            "n1",
            Profile.HOMOGENEOUS,
            Map.of("regionserver", node, "datanode", node),
            List.of(),
            0);
    return new LabStatus(
        "five",
        Database.HBASE,
        Path.of("five"),
        true,
        Map.of("zookeeper", service),
        List.of(n1),
        "127.0.0.1:2181",
        "none",
        false,
        serving);
  }

  @Test
  void aLabIsGoneOnlyWhenNothingOfItRuns() {
    OptionalLong lives = OptionalLong.of(17);
    OptionalLong gone = OptionalLong.empty();

    assertThat(status(gone, gone, -1).gone()).isTrue();
    assertThat(status(lives, gone, 0).gone()).isFalse();
    assertThat(status(gone, lives, 1).gone()).isFalse();
    assertThat(status(lives, lives, 1).healthy()).isTrue();
    assertThat(status(lives, gone, 0).healthy()).isFalse();
  }
}
