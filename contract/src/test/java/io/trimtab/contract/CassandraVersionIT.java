package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.cluster.CassandraSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Cassandra engine with nodes of another version; see {@code ./trimtab test --engine
 * cassandra@4.1}.
 */
@Tag("other-engine")
class CassandraVersionIT extends EngineContract {
  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    OtherEngine.cassandra();
    cluster = CassandraCluster.up("cassandra-version", home, 3, CassandraSettings.DEFAULTS);
  }

  @AfterAll
  static void down() {
    OtherEngine.clear();
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Override
  public Set<Capability> can() {
    return Set.of(Capability.ONLINE_PROFILES, Capability.NODE_SETTINGS);
  }

  @Override
  protected String[] controllerArguments() {
    return new String[] {
      "cassandra", cluster.lab().client().text(), Integer.toString(cluster.lab().client().jmxPort())
    };
  }

  @Test
  void theNodesAreOfThatVersion() throws EngineException {
    assertThat(engine().snapshot().version()).startsWith(OtherEngine.release());
  }
}
