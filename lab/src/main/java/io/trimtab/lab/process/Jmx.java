package io.trimtab.lab.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Optional;

/** Reads beans over Hadoop's and HBase's HTTP page {@code /jmx}. */
public final class Jmx {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int TIMEOUT_MS = 3000;

  private Jmx() {}

  /** The bean, or nothing while the process does not answer or has no such bean. */
  public static Optional<JsonNode> bean(String host, int port, String name) {
    try {
      var url = URI.create("http://" + host + ":" + port + "/jmx?qry=" + name).toURL();
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      try (InputStream in = connection.getInputStream()) {
        return Optional.ofNullable(MAPPER.readTree(in).path("beans").get(0));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
