package io.trimtab.cli.connect;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterTables;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseCheck;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.zookeeper.ZooKeeperControl;
import io.trimtab.sources.MetricsConfig;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** An HBase cluster that was named, whichever way. */
public record HBaseHandle(String label, HBaseContact target, Optional<MetricsConfig> metrics)
    implements ClusterHandle {
  @Override
  public Engine connect() throws EngineException {
    return HBaseEngine.connect(target);
  }

  @Override
  public ControlAccess control() throws EngineException {
    return ZooKeeperControl.connect(target);
  }

  @Override
  public ClusterTables tables() {
    return new Tables(target);
  }

  private record Tables(HBaseContact target) implements ClusterTables {
    @Override
    public void check(String table) {
      try {
        HBaseEngine.checkTable(table);
      } catch (IllegalArgumentException e) {
        throw new UserError("table " + table + ": " + e.getMessage(), e);
      }
    }

    /** HDFS keeps the copies. */
    @Override
    public void create(String table, int copies) throws EngineException {
      try (HBaseEngine engine = HBaseEngine.connect(target)) {
        engine.createTable(table);
      }
    }

    @Override
    public void drop(String table) throws EngineException {
      try (HBaseEngine engine = HBaseEngine.connect(target)) {
        engine.dropTable(table);
      }
    }
  }

  @Override
  public String nodeWord() {
    return "RegionServer";
  }

  @Override
  public Map<String, String> settingsOf(Profile profile) {
    return Map.of(
        "hfile.block.cache.size",
        String.valueOf(profile.cacheFraction()),
        "hbase.regionserver.global.memstore.size",
        String.valueOf(profile.memstoreFraction()));
  }

  @Override
  public void check(Consumer<ConnectionStep> steps) {
    new HBaseCheck(target, steps).run();
  }

  @Override
  public ClusterAddress address() {
    return new ClusterAddress.HBase(target.client());
  }
}
