package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.OtherEngine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.PluginInstall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same controller and the same plug-in with servers of another version; see {@code ./trimtab
 * test --engine hbase@2.5}.
 */
@Tag("other-engine")
class HBaseVersionIT extends HBaseContract {
  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    OtherEngine.hbase();
    cluster = HBaseCluster.up("hbase-version", home, Map.of(), c -> c);
  }

  @AfterAll
  static void down() {
    OtherEngine.clear();
  }

  @Override
  protected HBaseCluster cluster() {
    return cluster;
  }

  @Test
  void theServersAreOfThatVersionAndHaveThePlugIn() throws EngineException {
    assertThat(engine().snapshot().version()).startsWith(OtherEngine.release());
    assertThat(cluster.engine().plugin().servers().values())
        .hasSize(3)
        .allMatch(PluginInstall.ServerPlugin::works);
  }
}
