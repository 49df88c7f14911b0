package io.trimtab.cli.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryHandle;
import io.trimtab.cli.MemoryModule;
import io.trimtab.cli.Run;
import io.trimtab.engineapi.NodeId;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code split advise} on a cluster in memory of which a node can't be read. */
final class SplitAdviseTest {
  @TempDir private Path folder;
  private AddedModule added;

  @BeforeEach
  void begin() throws Exception {
    added = new AddedModule(MemoryModule.class, folder);
  }

  @AfterEach
  void end() {
    added.close();
  }

  /** Two partitions a node. */
  private static InMemoryCluster begun(int nodes) {
    TableSpec table = TableSpec.of("orders", 2 * nodes, 512L << 20, Access.reads(1_000));
    InMemoryCluster begun =
        new InMemoryCluster(
            ClusterSpec.assigned(1, nodes, table),
            new VirtualClock(Instant.now().minusSeconds(60)));
    MemoryModule.answers(() -> new MemoryHandle("the cluster in memory", begun));
    return begun;
  }

  private static Run advise(String... more) {
    List<String> words = List.of("split", "advise", "--in-memory", "--period", "1s");
    return Run.of(Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new));
  }

  private static List<String> partitions(Run run) {
    assertThat(run.code()).as(run.err()).isZero();
    return run.out().lines().filter(line -> line.startsWith("orders/")).toList();
  }

  @Test
  void theOthersAreAdvisedAndTheNodeIsNamed() {
    InMemoryCluster cluster = begun(3);
    Run all = advise();
    assertThat(partitions(all)).hasSize(6);
    assertThat(all.out()).doesNotContain("not asked");

    NodeId unread = new NodeId("node002:16020");
    cluster.faults().always(Faults.Verb.SNAPSHOT, unread, Faults.Kind.GAP);
    Run some = advise();
    assertThat(partitions(some)).hasSize(4).noneMatch(line -> line.contains("node002"));
    assertThat(some.out().lines())
        .contains(
            "not asked, and left out with their partitions:"
                + " node node002:16020 does not answer: scripted fault");
    assertThat(advise("--json").out())
        .containsPattern("\"notAsked\" : \\[[^\\]]*\"node002:16020\"")
        .contains("\"partitions\"");
  }

  @Test
  void whereNoneCanBeReadNothingIsAdvised() {
    InMemoryCluster cluster = begun(1);
    cluster.faults().always(Faults.Verb.SNAPSHOT, Faults.Kind.GAP);

    Run none = advise();

    assertThat(none.code()).isNotZero();
    assertThat(none.err())
        .contains("the snapshot is partial: node node001:16020 does not answer: scripted fault");
  }
}
