package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.trimtab.engineapi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The volume claims of removed nodes. They are kept, because their data may be the last copy of
 * something; and a StatefulSet would give them to the next pod of the same name, so none is added
 * before an operator has decided what becomes of them.
 */
record LeftClaims(Api api) {
  private static final String LABEL = "trimtab.io/left";
  private static final String CLUSTER = "trimtab.io/cluster";

  /** Refuses to make a pool smaller if that would delete data. */
  static void checkKept(PoolState pool) throws EngineException {
    if (deletes(pool)) {
      throw new EngineException(
          pool.settings().title()
              + ": would delete the data of a removed pod; set"
              + " spec.persistentVolumeClaimRetentionPolicy.whenScaled: Retain");
    }
  }

  /** Whether Kubernetes would delete the data of a removed pod. */
  static boolean deletes(PoolState pool) {
    String whenScaled = pool.text("spec", "persistentVolumeClaimRetentionPolicy", "whenScaled");
    return whenScaled.equals("Delete") && !pool.claims(pool.pod(0)).isEmpty();
  }

  /** The claims that the next pod of a pool would find; cass-operator sees to its own. */
  List<String> ofNext(PoolState pool) throws EngineException {
    List<String> left = new ArrayList<>();
    if (pool.settings().kind() == Kind.STATEFUL_SET) {
      for (String claim : pool.claims(pool.pod(pool.size()))) {
        if (api.claim(claim).isPresent()) {
          left.add(claim);
        }
      }
    }
    return left;
  }

  /** Marks the claims of a pod that has ended; returns their names. */
  List<String> mark(PoolState pool, String pod, String cluster) throws EngineException {
    List<String> marked = new ArrayList<>();
    if (pool.settings().kind() == Kind.STATEFUL_SET) {
      for (String claim : pool.claims(pod)) {
        if (api.claim(claim).isPresent()) {
          ObjectNode patch = JsonNodeFactory.instance.objectNode();
          ObjectNode metadata = patch.putObject("metadata");
          metadata.putObject("labels").put(LABEL, "true");
          metadata.putObject("annotations").put(CLUSTER, cluster);
          api.patchClaim(claim, patch);
          marked.add(claim);
        }
      }
    }
    return marked;
  }

  /** The marked claims of a cluster that no wanted pod of these pools has. */
  List<String> of(List<PoolState> pools, String cluster) throws EngineException {
    List<String> used = new ArrayList<>();
    for (PoolState pool : pools) {
      for (int index = 0; index < pool.size(); index++) {
        used.addAll(pool.claims(pool.pod(index)));
      }
    }
    List<String> left = new ArrayList<>();
    for (PersistentVolumeClaim claim : api.claims(LABEL, "true")) {
      Map<String, String> annotations = claim.getMetadata().getAnnotations();
      if (annotations != null
          && cluster.equals(annotations.get(CLUSTER))
          && !used.contains(claim.getMetadata().getName())) {
        left.add(claim.getMetadata().getName());
      }
    }
    return left;
  }
}
