package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper;
import io.trimtab.lab.cluster.HBaseLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A controller's machine whose clock is ten minutes off, against a real KDC and HBase whose clocks
 * are right. Kerberos lets five pass.
 */
@Tag("kerberos")
class HBaseClockIT extends LiveCluster {
  private static final String NAME = "hbase-clock";
  private static final String SKEW = "Clock skew too great (37)";
  private static final String TO_MEND = "; to mend it: ";

  @TempDir static Path home;
  private static HBaseCluster cluster;
  private static HBaseLab lab;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up(NAME, home, Map.of(), config -> config.withSecure(true).withNodes(1));
    lab = cluster.lab();
  }

  @AfterAll
  static void down() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  /** What the document says of it, the command says; with the right clock nothing is to mend. */
  @ParameterizedTest
  @ValueSource(strings = {"+10m", "-10m"})
  void aClockThatIsOffIsToldInOneLineThatMendsItAndNothingIsChanged(String off, @TempDir Path own)
      throws Exception {
    Map<String, String> clock = WrongClock.off(off);
    List<String> before = Changes.state(whole(s -> true));
    Optional<List<ACL>> znode = znode();

    try (LiveController check =
        LiveController.start(Main.class, own, clock, named("connect", "check", NAME))) {
      assertThat(check.ended()).as("%s", check.said()).isEqualTo(Main.REFUSED);
      List<String> failed = check.said().lines().filter(line -> line.startsWith("FAILED")).toList();
      assertThat(failed)
          .as("%s", check.said())
          .singleElement()
          .asString()
          .startsWith("FAILED  Kerberos: ")
          .contains(SKEW, TO_MEND);
      String line = failed.get(0);
      assertThat(document())
          .contains(SKEW)
          .contains(line.substring(line.lastIndexOf(TO_MEND)).strip());
    }
    try (LiveController plan =
        LiveController.start(Main.class, own, clock, named("plan", "--cluster", NAME))) {
      assertThat(plan.ended()).as("%s", plan.said()).isEqualTo(Main.REFUSED);
      assertThat(plan.problem()).contains(SKEW);
    }
    assertThat(Changes.state(whole(s -> true))).isEqualTo(before);
    assertThat(znode()).isEqualTo(znode);
    assertThat(engine().shared().holder()).isEmpty();

    try (LiveController check = LiveController.command(own, named("connect", "check", NAME))) {
      assertThat(check.ended()).as("%s", check.said()).isZero();
    }
  }

  /** A command on the lab by its own file of connections. */
  private static List<String> named(String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.add("--connections");
    arguments.add(lab.dir().secure().resolve("connections.yaml").toString());
    return arguments;
  }

  /** Who may do what with what controllers keep. */
  private static Optional<List<ACL>> znode() throws EngineException {
    try (ClusterZooKeeper zookeeper = ClusterZooKeeper.open(lab.client())) {
      return zookeeper.acl("/trimtab");
    }
  }

  private static String document() throws IOException {
    return Files.readString(ScriptCheckout.repository().resolve("docs").resolve("connections.md"));
  }
}
