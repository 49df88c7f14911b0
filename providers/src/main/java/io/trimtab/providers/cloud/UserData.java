package io.trimtab.providers.cloud;

import io.trimtab.config.FileProblem;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProfileVariables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a machine runs at its first start (Cruz 2016, §3.2.3): a template in which {@code ${NAME}}
 * stands for a value. Other names are left as they are.
 *
 * @param maxBytes how long it may be
 */
record UserData(Path template, int maxBytes) {

  /** What no shell takes for anything but itself: a template need not quote it. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:,/+\\[\\]-]*");

  /**
   * For one machine. The same for the same request, however often it is made.
   *
   * @throws EngineException if the template can't be read, is too long, or a value of it has
   *     characters that a shell may take for more than themselves
   */
  String of(
      String cluster, String requestId, Profile profile, List<Long> tokens, Optional<NodeId> dead)
      throws EngineException {
    Map<String, String> values = new TreeMap<>(ProfileVariables.of(profile));
    values.put("CLUSTER", cluster);
    values.put("REQUEST", requestId);
    values.put("TOKENS", tokens.stream().map(String::valueOf).collect(Collectors.joining(",")));
    values.put("DEAD", dead.map(NodeId::name).orElse(""));
    String text;
    try {
      text = Files.readString(template);
    } catch (IOException e) {
      throw new EngineException(template + ": can't be read: " + FileProblem.of(e), e);
    }
    for (Map.Entry<String, String> value : values.entrySet()) {
      String variable = "${" + value.getKey() + "}";
      if (text.contains(variable) && !PLAIN.matcher(value.getValue()).matches()) {
        throw new EngineException(
            "%s: %s can't be '%s', which a shell may take for more than a word"
                .formatted(template, variable, Lines.of(value.getValue())));
      }
      text = text.replace(variable, value.getValue());
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes) {
      throw new EngineException(
          "%s: is %d bytes long, and the cloud takes %d".formatted(template, bytes, maxBytes));
    }
    return text;
  }
}
