package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a node that a plan removed or replaced; its processes have ended already. */
class RemovedNodeTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir Path home;

  private LabDir lab(LabConfig config) throws IOException {
    LabDir dir = new LabDir(home.resolve("lab"));
    Files.createDirectories(dir.run());
    List<LabState.Node> nodes =
        List.of(
            new LabState.Node(1, Profile.READ),
            new LabState.Node(2, Profile.READ),
            new LabState.Node(3, Profile.READ));
    new LabState(config, 7, Owner.NONE, true, false, "", false, 3, nodes).write(dir.state());
    return dir;
  }

  private static Path rows(LabDir dir, String process) throws IOException {
    Files.createDirectories(dir.data(process));
    return Files.writeString(dir.data(process).resolve("rows.db"), "a user's");
  }

  private static void remove(Lab lab, int index) throws EngineException {
    NodeId id = Lab.id(lab.state(), new LabState.Node(index, Profile.READ));
    lab.provider().remove(id, LIMIT);
    assertThat(lab.state().node(index)).isEmpty();
    lab.provider().remove(id, LIMIT);
  }

  @Test
  void theDataOfACassandraNodeAreKeptUntilTheLabIsTakenDown() throws Exception {
    LabDir dir = lab(LabConfig.defaults().withCassandra(CassandraSettings.DEFAULTS));
    Path used = rows(dir, "n2-cassandra");

    remove(new CassandraLab(dir), 2);

    assertThat(used).doesNotExist();
    assertThat(dir.root().resolve("data/n2-cassandra.out-of-use/rows.db")).hasContent("a user's");
    LabBoot.clean(dir, false);
    assertThat(dir.root()).doesNotExist();
  }

  @Test
  void theBlocksOfAnHBaseNodeAreKept() throws Exception {
    LabDir dir = lab(LabConfig.defaults());
    rows(dir, "n3-datanode");

    remove(new HBaseLab(dir), 3);

    assertThat(dir.root().resolve("data/n3-datanode.out-of-use/rows.db")).hasContent("a user's");
  }

  /** HDFS keeps two copies of each block, where the nodes have them. */
  @Test
  void theLastNodesOfHBaseMayGoWhereHdfsIsApartFromThem() throws Exception {
    HBaseLab together = new HBaseLab(lab(LabConfig.defaults()));
    remove(together, 3);
    assertThatThrownBy(() -> remove(together, 2)).hasMessageContaining("HDFS keeps 2 copies");

    Files.createDirectories(together.dir().conf(LabBoot.DATANODE));
    remove(together, 2);
    remove(together, 1);
    assertThat(together.state().nodes()).isEmpty();
  }

  /** A controller that was killed between the two steps left the node in the lab's state. */
  @Test
  void anInterruptedRemovalIsContinued() throws Exception {
    LabDir dir = lab(LabConfig.defaults().withCassandra(CassandraSettings.DEFAULTS));
    rows(dir, "n2-cassandra");
    Files.move(dir.data("n2-cassandra"), dir.retired("n2-cassandra"));

    remove(new CassandraLab(dir), 2);

    assertThat(dir.retired("n2-cassandra").resolve("rows.db")).exists();
  }
}
