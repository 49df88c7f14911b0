package io.trimtab.controller.ring;

import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel.Load;

/**
 * What a node's load would hit with another cache of rows. Of its contents only the hit ratio is
 * known ({@link CacheLoad#hitting}). Of range reads as many blocks are missed as before: no cache
 * of rows answers them.
 */
final class RowHits {
  private RowHits() {}

  /**
   * The load with what it would hit.
   *
   * @param asked as it is, with the hit ratio of now
   * @param bytes of the cache of now, &gt; 0
   * @param then of the other cache
   */
  static Load with(Load asked, double bytes, double then) {
    double ofRows = CacheLoad.hitting(asked.hitRatio(), bytes, asked.reads()).hitRatio(then);
    double blocks = asked.reads() + asked.scans() * asked.scan().blocks();
    double share = blocks > 0 ? asked.reads() / blocks : 0;
    double hits = share * ofRows + (1 - share) * asked.hitRatio();
    return asked.withHitRatio(Math.max(0, Math.min(1, hits)));
  }
}
