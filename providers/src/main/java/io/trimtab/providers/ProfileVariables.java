package io.trimtab.providers;

import io.trimtab.engineapi.Profile;
import java.util.Map;
import java.util.TreeMap;

/** What templates, commands and pods are told of a node's profile, under the same names. */
public final class ProfileVariables {
  private ProfileVariables() {}

  /** {@code PROFILE}, {@code CACHE}, {@code MEMSTORE} and {@code BLOCK_BYTES}, by name. */
  public static Map<String, String> of(Profile profile) {
    Map<String, String> variables = new TreeMap<>();
    variables.put("PROFILE", profile.name());
    variables.put("CACHE", String.valueOf(profile.cacheFraction()));
    variables.put("MEMSTORE", String.valueOf(profile.memstoreFraction()));
    variables.put("BLOCK_BYTES", String.valueOf(profile.blockSizeBytes()));
    return variables;
  }
}
