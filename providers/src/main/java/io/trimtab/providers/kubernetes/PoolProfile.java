package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProfileVariables;
import java.util.Map;

/**
 * The profile of a pool: keys of a ConfigMap that its pods have in their environment, with the
 * names that {@code hosts} uses. A change of the map restarts nothing.
 */
record PoolProfile(Api api) {
  /** Of the pods' template, for people; see {@link #annotatesTemplate}. */
  private static final String ANNOTATION = "trimtab.io/profile";

  /** Whether a pool's pods get a profile at their next start without any change. */
  boolean has(PoolSettings pool, Profile profile) throws EngineException {
    if (pool.configMap() == null) {
      return pool.fits(profile);
    }
    Map<String, String> data = api.configMap(pool.configMap()).getData();
    return data != null && data.entrySet().containsAll(ProfileVariables.of(profile).entrySet());
  }

  /** The patch of a pool's ConfigMap that writes a profile for the next start of all its pods. */
  ObjectNode change(PoolSettings pool, Profile profile) throws EngineException {
    ConfigMap map = api.configMap(pool.configMap());
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", map.getMetadata().getResourceVersion());
    ObjectNode data = patch.putObject("data");
    ProfileVariables.of(profile).forEach((key, value) -> data.put(key, value));
    return patch;
  }

  /** Adds the profile to the template of a pool's pods, if that restarts none of them. */
  static void annotate(PoolState pool, Profile profile, ObjectNode spec) {
    if (annotatesTemplate(pool)) {
      spec.putObject("template")
          .putObject("metadata")
          .putObject("annotations")
          .put(ANNOTATION, profile.name());
    }
  }

  /** With another strategy than OnDelete, a changed template is a rolling restart. */
  static boolean annotatesTemplate(PoolState pool) {
    return pool.settings().configMap() != null
        && pool.text("spec", "updateStrategy", "type").equals("OnDelete");
  }
}
