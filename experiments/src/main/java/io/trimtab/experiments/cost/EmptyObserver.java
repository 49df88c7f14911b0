package io.trimtab.experiments.cost;

import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/**
 * A coprocessor that does nothing, for what it costs HBase to have any. RegionServers load it by
 * its name.
 */
public final class EmptyObserver implements RegionCoprocessor, RegionObserver {
  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }
}
