package io.trimtab.hbase;

import io.trimtab.engineapi.Profile;
import java.util.List;
import java.util.Optional;

/** Names the memory split that was measured on a node. */
final class MeasuredProfile {
  static final String CUSTOM = "CUSTOM";

  private MeasuredProfile() {}

  /**
   * The standard profile with the split, else one called {@code CUSTOM}. READ and SCAN differ in
   * nothing but their block size, so among equals the block size of the node's partitions decides.
   *
   * @param blockSizeBytes that most of the node's partitions ask for; ≤ 0 if it has none
   * @return empty for numbers that are no split at all
   */
  static Optional<Profile> of(double cacheFraction, double memstoreFraction, int blockSizeBytes) {
    int blockSize = blockSizeBytes > 0 ? blockSizeBytes : Profile.HOMOGENEOUS.blockSizeBytes();
    Profile custom;
    try {
      custom = new Profile(CUSTOM, cacheFraction, memstoreFraction, blockSize);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    List<Profile> same = Profile.STANDARD.stream().filter(p -> p.sameMemory(custom)).toList();
    return same.stream()
        .filter(p -> p.blockSizeBytes() == blockSize)
        .findFirst()
        .or(() -> same.stream().findFirst())
        .or(() -> Optional.of(custom));
  }
}
