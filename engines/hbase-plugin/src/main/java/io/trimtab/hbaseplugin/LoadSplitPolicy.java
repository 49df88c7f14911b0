package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.SplitAdvice;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;

/**
 * HBase's own stepping policy decides when a region has grown too large; it is then split where its
 * requests halve, and in the middle of its bytes only where that is not known. To be named as a
 * table's split policy; the master needs the class too.
 */
public final class LoadSplitPolicy extends SteppingSplitPolicy {
  @Override
  protected byte[] getSplitPoint() {
    Optional<SplitAdvice> advice =
        RegionRequests.OF_SERVER.advice(region.getRegionInfo().getEncodedName());
    return advice
        .filter(a -> a.verdict() == SplitAdvice.Verdict.SPLIT)
        .map(SplitAdvice::key)
        .orElseGet(super::getSplitPoint);
  }
}
