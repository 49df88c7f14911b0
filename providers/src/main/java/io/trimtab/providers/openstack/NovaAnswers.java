package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.providers.cloud.Lines;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads what Nova answers. What makes no sense is not taken for nothing, or for a default. */
record NovaAnswers(Keystone keystone) {
  private static final int PAGE = 500;

  /** Of the cloud, for messages. */
  String title() {
    return "OpenStack " + keystone.authority();
  }

  /**
   * Of an answer that can't be used.
   *
   * @param problem ends a sentence that begins with: Nova's answer
   */
  UnusableAnswerException senseless(String problem) {
    return new UnusableAnswerException(title() + ": Nova's answer " + problem);
  }

  /**
   * All of a list: Nova gives it in pages, no longer than its operator allows.
   *
   * @param field of the answers that has the list
   * @param next the parameter that asks for the page after what was read, which is not empty
   */
  List<JsonNode> listed(String path, String field, Function<List<JsonNode>, String> next)
      throws EngineException {
    Map<String, JsonNode> all = new LinkedHashMap<>();
    while (true) {
      String from = all.isEmpty() ? "" : "&" + next.apply(List.copyOf(all.values()));
      JsonNode page = keystone.nova("GET", path + "?limit=" + PAGE + from, null).path(field);
      Map<String, JsonNode> read = page(field, page);
      // Whoever knows no pages of this list gives all of it again.
      if (all.keySet().containsAll(read.keySet())) {
        return List.copyOf(all.values());
      }
      // What is made meanwhile moves others to the next page, where they come again.
      read.forEach(all::putIfAbsent);
    }
  }

  private Map<String, JsonNode> page(String field, JsonNode page) throws EngineException {
    if (!page.isArray()) {
      throw senseless("has no list of " + field);
    }
    Map<String, JsonNode> read = new LinkedHashMap<>();
    for (JsonNode entry : page) {
      String id = id(entry, "has an entry without an id in its list of " + field);
      if (read.put(id, entry) != null) {
        throw senseless("has %s twice in its list of %s".formatted(Lines.of(id), field));
      }
    }
    return read;
  }

  static String marker(List<JsonNode> read) {
    String last = read.get(read.size() - 1).path("id").asText();
    return "marker=" + URLEncoder.encode(last, StandardCharsets.UTF_8);
  }

  /** Server groups have no markers. */
  static String offset(List<JsonNode> read) {
    return "offset=" + read.size();
  }

  /**
   * The id of what Nova tells of.
   *
   * @param without what is wrong where there is none, as of {@link #senseless}
   */
  String id(JsonNode of, String without) throws EngineException {
    String id = of.path("id").textValue();
    if (id == null || id.isBlank()) {
      throw senseless(without);
    }
    return id;
  }

  int number(JsonNode of, String field) throws EngineException {
    JsonNode number = of.path(field);
    if (!number.isIntegralNumber() || !number.canConvertToInt()) {
      throw senseless("has no whole number in " + field);
    }
    return number.intValue();
  }
}
