package io.trimtab.hbase.pages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.hbase.HBaseErrors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads beans and settings from the HTTP pages that HBase's and Hadoop's processes serve. */
public final class HttpJmx {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();

  /**
   * The beans whose names match, in the order that the server gives; none if it has none.
   *
   * @param address {@code host:port} of the information page
   * @param pattern an ObjectName pattern
   */
  public List<JsonNode> beans(String address, String pattern) throws IOException {
    String query = URLEncoder.encode(pattern, StandardCharsets.UTF_8);
    List<JsonNode> beans = new ArrayList<>();
    get(address, "/jmx?qry=" + query).path("beans").forEach(beans::add);
    return beans;
  }

  /** All of a process's own settings. */
  public Map<String, String> settings(String address) throws IOException {
    Map<String, String> settings = new HashMap<>();
    for (JsonNode property : get(address, "/conf?format=json").path("properties")) {
      settings.put(property.path("key").asText(), property.path("value").asText());
    }
    return settings;
  }

  private JsonNode get(String address, String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .header("Accept", "application/json")
            .timeout(TIMEOUT)
            .build();
    try {
      HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new IOException(address + ": HTTP status " + answer.statusCode());
      }
      return MAPPER.readTree(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(address + ": interrupted");
    } catch (IOException e) {
      throw new IOException(address + ": " + HBaseErrors.line(e), e);
    }
  }
}
