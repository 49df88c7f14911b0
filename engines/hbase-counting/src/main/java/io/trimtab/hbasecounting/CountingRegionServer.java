package io.trimtab.hbasecounting;

import io.trimtab.hbaseplugin.ExactCounts;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A RegionServer whose block cache counts its requests exactly: the reference for the histograms
 * that are estimated from row keys. Set as {@code hbase.regionserver.impl}; not for production,
 * since it costs memory for every block and rests on a private class of HBase.
 */
public final class CountingRegionServer extends HRegionServer {
  /** Not set here: HBase's constructor may ask for the cache before this class has begun. */
  private volatile BlockCache counted;

  public CountingRegionServer(Configuration configuration) throws IOException {
    super(configuration);
  }

  @Override
  public Optional<BlockCache> getBlockCache() {
    Optional<BlockCache> real = super.getBlockCache();
    if (real.isEmpty()) {
      return real;
    }
    BlockCache once = counted;
    if (once == null) {
      synchronized (this) {
        if (counted == null) {
          counted = CountedCache.of(real.get(), BlockCounts.OF_SERVER);
          if (counted != real.get()) {
            ExactCounts.from(BlockCounts.OF_SERVER);
          }
        }
        once = counted;
      }
    }
    return Optional.of(once);
  }
}
