package io.trimtab.hbasecounting;

import io.trimtab.hbaseplugin.ExactCounts;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often each data block was requested, exactly, by store file and offset. Takes about 100 bytes
 * a requested block. Thread-safe; counting blocks only briefly.
 */
final class BlockCounts implements ExactCounts.Source {
  /** Blocks that are counted at most; others are not. */
  static final int BLOCKS_MAX = 2_000_000;

  static final BlockCounts OF_SERVER = new BlockCounts(BLOCKS_MAX);

  private final int most;
  private final Map<String, Map<Long, AtomicInteger>> files = new ConcurrentHashMap<>();
  private final AtomicInteger blocks = new AtomicInteger();

  BlockCounts(int most) {
    this.most = most;
  }

  /** Counts one request of a block. */
  void add(String file, long offset) {
    Map<Long, AtomicInteger> counts = files.computeIfAbsent(file, f -> new ConcurrentHashMap<>());
    AtomicInteger count = counts.get(offset);
    if (count == null && blocks.get() < most) {
      count =
          counts.computeIfAbsent(
              offset,
              o -> {
                blocks.incrementAndGet();
                return new AtomicInteger();
              });
    }
    if (count != null) {
      count.incrementAndGet();
    }
  }

  /** The file is gone, or is read elsewhere. */
  void forget(String file) {
    Map<Long, AtomicInteger> counts = files.remove(file);
    if (counts != null) {
      blocks.addAndGet(-counts.size());
    }
  }

  @Override
  public Optional<String> missing() {
    return blocks.get() < most
        ? Optional.empty()
        : Optional.of("more than " + most + " blocks have been asked for");
  }

  @Override
  public SortedMap<Integer, Integer> histogram(Collection<String> names) {
    SortedMap<Integer, Integer> bins = new TreeMap<>();
    for (String name : names) {
      Map<Long, AtomicInteger> counts = files.get(name);
      if (counts != null) {
        counts.values().forEach(count -> bins.merge(count.get(), 1, Integer::sum));
      }
    }
    return bins;
  }
}
