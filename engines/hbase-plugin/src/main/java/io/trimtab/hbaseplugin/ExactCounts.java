package io.trimtab.hbaseplugin;

import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often each data block of this server was requested, exactly. The plug-in counts no blocks; a
 * RegionServer that does (the lab has one) registers here, and the endpoint returns its counts.
 */
public final class ExactCounts {
  private static volatile Source source;

  private ExactCounts() {}

  /** Something that counts every access to a block of the server. Thread-safe. */
  public interface Source {
    /** Why there are no exact counts; empty where there are. */
    Optional<String> missing();

    /**
     * Counts, and how many of the files' blocks have each.
     *
     * @param files names of store files, without their folders
     */
    SortedMap<Integer, Integer> histogram(Collection<String> files);
  }

  /** From now on this server's accesses are counted. */
  public static void from(Source counting) {
    source = counting;
  }

  static Optional<String> missing() {
    Source now = source;
    return now == null ? Optional.of("this server counts no blocks exactly") : now.missing();
  }

  static SortedMap<Integer, Integer> histogram(Collection<String> files) {
    Source now = source;
    return now == null ? new TreeMap<>() : now.histogram(files);
  }
}
