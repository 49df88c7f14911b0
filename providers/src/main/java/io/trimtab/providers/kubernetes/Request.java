package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.engineapi.EngineException;
import java.util.List;

/**
 * What a pod was asked for; kept as an annotation of its StatefulSet or CassandraDatacenter, and
 * written by the same request that makes this larger.
 *
 * @param cluster the cluster's id
 * @param request that it was asked for by
 * @param pod its name
 * @param since when it was asked for, in milliseconds since 1970
 */
record Request(String cluster, String request, String pod, long since) {
  /** The annotation with all of a resource, as a list in JSON. */
  static final String ANNOTATION = "trimtab.io/requests";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private boolean whole() {
    return cluster != null && request != null && pod != null;
  }

  boolean of(String ofCluster, String ofRequest) {
    return cluster.equals(ofCluster) && request.equals(ofRequest);
  }

  static String text(List<Request> requests) {
    try {
      return MAPPER.writeValueAsString(requests);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("requests can't be written", e);
    }
  }

  /**
   * Reads the annotation.
   *
   * @param where it is, for messages
   * @param text null: there is none
   */
  static List<Request> read(String where, String text) throws EngineException {
    if (text == null) {
      return List.of();
    }
    String damaged =
        where + ": its annotation " + ANNOTATION + " is damaged; an operator must look at it";
    List<Request> read;
    try {
      read = MAPPER.readValue(text, new TypeReference<List<Request>>() {});
    } catch (JsonProcessingException e) {
      throw new EngineException(damaged, e);
    }
    if (read == null || read.stream().anyMatch(request -> request == null || !request.whole())) {
      throw new EngineException(damaged);
    }
    return List.copyOf(read);
  }
}
