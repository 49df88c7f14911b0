package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.cluster.CassandraSettings;
import java.io.IOException;
import java.nio.file.Path;
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
class CassandraVersionIT extends CassandraContract {
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
  protected CassandraCluster cluster() {
    return cluster;
  }

  @Test
  void theNodesAreOfThatVersion() throws EngineException {
    assertThat(engine().snapshot().version()).startsWith(OtherEngine.release());
  }
}
