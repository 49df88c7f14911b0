package io.trimtab.plugincore;

import java.util.OptionalLong;

/** Follows the key at which a stream of requests halves. Keys are {@link KeyImage} numbers. */
public interface SplitEstimator {

  void add(long image);

  /** The least number of the right half; empty before the first request. */
  OptionalLong split();
}
