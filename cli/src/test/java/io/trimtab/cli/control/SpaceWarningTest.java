package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.formats.SettingsText;
import io.trimtab.runtime.journal.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What `status` and `why` say of disks goes by the controller's own settings. */
class SpaceWarningTest {
  private static final Instant AT = Instant.EPOCH;
  private static final String WARNING =
      "disk space is not checked on 1 of 1 node: their capacity is not known (guard.nodeDiskGiB)";

  private static ClusterSnapshot seen(DiskSpace disk) {
    NodeState node =
        new NodeState(
            new NodeId("a:1"),
            1,
            true,
            false,
            Optional.of(Profile.HOMOGENEOUS),
            true,
            NodeUsage.UNKNOWN,
            NodeGauges.UNKNOWN.with(disk));
    return new ClusterSnapshot(
        AT,
        "c",
        "cassandra",
        Ownership.TOKENS,
        "5.0",
        1,
        List.of(node),
        List.of(),
        0,
        List.of(),
        new BalancerState(true, true),
        List.of());
  }

  private static Entry took(String settings) {
    return new Entry.Took(AT, 1, "me", "1", "met", settings, "run");
  }

  private static String text(Integer nodeDiskGiB) {
    return SettingsText.of(
        Settings.defaults().with(GuardSettings.builder().nodeDiskGiB(nodeDiskGiB).build()));
  }

  @Test
  void aNodeThatIsNotCheckedIsTold() {
    ClusterSnapshot remote = seen(new DiskSpace(-1, -1, 400));
    assertThat(SpaceWarning.of(remote, List.of())).hasValue(WARNING);
    assertThat(SpaceWarning.of(remote, List.of(took(text(null))))).hasValue(WARNING);
    assertThat(SpaceWarning.of(remote, List.of(took("newer: {than: this}")))).hasValue(WARNING);
  }

  @Test
  void nothingIsToldWhereAllAreChecked() {
    assertThat(SpaceWarning.of(seen(new DiskSpace(1000, 500, 400)), List.of())).isEmpty();
    assertThat(
            SpaceWarning.of(
                seen(new DiskSpace(-1, -1, 400)),
                List.of(took(text(null)), took(text(100)), took(""))))
        .as("the last settings count, and a release has none")
        .isEmpty();
  }
}
