package io.trimtab.providers.hosts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import java.util.List;

/**
 * The file on a host that says whose it is, as one line of JSON.
 *
 * @param cluster the cluster's id
 * @param request that the node was started for; empty if it was there before
 * @param since when it was requested, in milliseconds since 1970
 * @param profile of its next start
 * @param tokens in a ring; empty if the engine chooses them
 * @param dead the node that it replaces; empty if none
 * @param retired whether its node was removed for good, and its data are still there
 */
record Mark(
    String cluster,
    String request,
    long since,
    Profile profile,
    List<Long> tokens,
    String dead,
    boolean retired) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  Mark {
    tokens = tokens == null ? List.of() : List.copyOf(tokens);
    dead = dead == null ? "" : dead;
  }

  private boolean whole() {
    return cluster != null && request != null && profile != null && profile.name() != null;
  }

  Mark with(Profile other) {
    return new Mark(cluster, request, since, other, tokens, dead, retired);
  }

  Mark asRetired() {
    return new Mark(cluster, request, since, profile, tokens, dead, true);
  }

  boolean of(String ofCluster, String ofRequest) {
    return !retired && cluster.equals(ofCluster) && request.equals(ofRequest);
  }

  String text() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a mark can't be written", e);
    }
  }

  /**
   * Reads a mark.
   *
   * @param where it is, for messages
   * @throws UnusableAnswerException if it is none, or more than one: whose the host is is not known
   */
  static Mark read(String where, String text) throws EngineException {
    try {
      Mark mark = MAPPER.readValue(text, Mark.class);
      if (mark != null && mark.whole()) {
        return mark;
      }
      throw new UnusableAnswerException(damaged(where, text));
    } catch (JsonProcessingException e) {
      throw new UnusableAnswerException(damaged(where, text), e);
    }
  }

  private static String damaged(String where, String text) {
    String told = HostLook.shown(text);
    return "%s: is not one whole mark%s; an operator must look at it"
        .formatted(where, told.isEmpty() ? "" : ": " + told);
  }
}
