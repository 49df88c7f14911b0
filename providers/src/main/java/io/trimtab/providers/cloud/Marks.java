package io.trimtab.providers.cloud;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tags or metadata by which machines are found, and by which a machine's service learns its
 * profile at each start, from the cloud's metadata service.
 */
public final class Marks {
  public static final String CLUSTER = "trimtab-cluster";
  static final String REQUEST = "trimtab-request";
  static final String RETIRED = "trimtab-retired";
  private static final String DEAD = "trimtab-dead";
  private static final String BOOT = "trimtab-boot";
  private static final String PROFILE = "trimtab-profile";
  private static final String CACHE = "trimtab-cache";
  private static final String MEMSTORE = "trimtab-memstore";
  private static final String BLOCK_BYTES = "trimtab-block-bytes";

  private Marks() {}

  /** Of a machine that is asked for. */
  static Map<String, String> of(
      String cluster, String requestId, Profile profile, Optional<NodeId> dead) {
    Map<String, String> marks = new TreeMap<>(of(profile));
    marks.put(CLUSTER, cluster);
    marks.put(REQUEST, requestId);
    dead.ifPresent(node -> marks.put(DEAD, node.name()));
    return marks;
  }

  /** Of the profile of the next start. */
  static Map<String, String> of(Profile profile) {
    return Map.of(
        PROFILE, profile.name(),
        CACHE, String.valueOf(profile.cacheFraction()),
        MEMSTORE, String.valueOf(profile.memstoreFraction()),
        BLOCK_BYTES, String.valueOf(profile.blockSizeBytes()));
  }

  /** Of a machine whose node was given back. */
  static Map<String, String> retired() {
    return Map.of(RETIRED, "true");
  }

  /** Of a machine whose node took so long from its request until it was in the cluster. */
  static Map<String, String> boot(Duration took) {
    return Map.of(BOOT, String.valueOf(took.toSeconds()));
  }

  /** How long a machine's node took; empty if it is not marked so. */
  static Optional<Duration> boot(CloudMachine machine) {
    return Optional.ofNullable(machine.marks().get(BOOT))
        .filter(seconds -> seconds.matches("\\d{1,7}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
  }
}
