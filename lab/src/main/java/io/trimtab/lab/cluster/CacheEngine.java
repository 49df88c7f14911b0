package io.trimtab.lab.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.nio.file.Path;
import java.util.Locale;

/** Where the RegionServers of a lab keep their bucket caches. */
public enum CacheEngine {
  /**
   * A file in memory, which is read and written. The default: only a cache that persists takes back
   * what it has told of evicted blocks.
   */
  FILE,
  /** The process's own memory, beside its heap. */
  OFFHEAP,
  /** A file in memory, which is mapped. */
  MMAP;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static CacheEngine of(String value) {
    for (CacheEngine known : values()) {
      if (known.name().equals(value.toUpperCase(Locale.ROOT))) {
        return known;
      }
    }
    throw new IllegalArgumentException("must be file, offheap or mmap, not '" + value + "'");
  }

  /** Whether the cache is a file, which outlives its process. */
  public boolean inFile() {
    return this != OFFHEAP;
  }

  /**
   * As {@code hbase.bucketcache.ioengine} has it.
   *
   * @param file of a node, where there is one
   */
  public String setting(Path file) {
    String name = name().toLowerCase(Locale.ROOT);
    return inFile() ? name + ":" + file : name;
  }
}
