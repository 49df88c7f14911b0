package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a machine runs at its first start (Cruz 2016, §3.2.3): a template in which {@code ${NAME}}
 * stands for a value. Other names are left as they are.
 */
record UserData(Path template) {

  /**
   * For one machine. The same for the same request, however often it is made.
   *
   * @throws EngineException if the template can't be read
   */
  String of(
      String cluster, String requestId, Profile profile, List<Long> tokens, Optional<NodeId> dead)
      throws EngineException {
    Map<String, String> values = new TreeMap<>();
    values.put("CLUSTER", cluster);
    values.put("REQUEST", requestId);
    values.put("PROFILE", profile.name());
    values.put("CACHE", String.valueOf(profile.cacheFraction()));
    values.put("MEMSTORE", String.valueOf(profile.memstoreFraction()));
    values.put("BLOCK_BYTES", String.valueOf(profile.blockSizeBytes()));
    values.put("TOKENS", tokens.stream().map(String::valueOf).collect(Collectors.joining(",")));
    values.put("DEAD", dead.map(NodeId::name).orElse(""));
    String text;
    try {
      text = Files.readString(template);
    } catch (IOException e) {
      throw new EngineException(template + ": can't be read: " + e.getMessage(), e);
    }
    for (Map.Entry<String, String> value : values.entrySet()) {
      text = text.replace("${" + value.getKey() + "}", value.getValue());
    }
    return text;
  }
}
