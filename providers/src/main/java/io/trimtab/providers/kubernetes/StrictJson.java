package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;

/**
 * Reads the answers of an API server, each of which is one JSON object. The library itself takes
 * other text for YAML, an empty answer for a resource that is not there, and one without its list
 * for an empty list.
 */
final class StrictJson extends KubernetesSerialization {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * @throws KubernetesClientException if it can't be read; its cause is what the parser says
   */
  @Override
  public <T> T unmarshal(InputStream answer, TypeReference<T> type) {
    byte[] bytes;
    try {
      bytes = answer.readAllBytes();
      check(bytes, type.getType());
    } catch (IOException e) {
      throw new KubernetesClientException("the answer can't be read", e);
    }
    return super.unmarshal(new ByteArrayInputStream(bytes), type);
  }

  private static void check(byte[] answer, Type type) throws IOException {
    boolean whole = !isList(type);
    try (JsonParser parser = JSON.createParser(answer)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new JsonParseException(parser, "no object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        whole |= parser.currentName().equals("items");
        parser.nextToken();
        parser.skipChildren();
      }
      if (!whole || parser.nextToken() != null) {
        throw new JsonParseException(parser, "no list, or more than one object");
      }
    }
  }

  private static boolean isList(Type type) {
    return type instanceof Class<?> known && KubernetesResourceList.class.isAssignableFrom(known);
  }
}
