package io.trimtab.hbase.pages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.hbase.HBaseErrors;
import io.trimtab.hbase.security.KerberosLogin;
import io.trimtab.host.connect.Reach;
import io.trimtab.host.connect.WholeAnswer;
import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/** Reads beans and settings from the HTTP pages that HBase's and Hadoop's processes serve. */
public final class HttpJmx {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration WHOLE_LIMIT = Duration.ofSeconds(15);

  /** More than a server tells of thousands of regions, and less than this process has (ours). */
  private static final int ANSWER_MAX_BYTES = 64 << 20;

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);

  private static final String NEGOTIATE = "Negotiate";

  /** What a page that has seen a ticket gives, so that it need not be shown again. */
  private static final String COOKIE = "hadoop.auth=";

  private final boolean https;
  private final Optional<Tls> tls;
  private final Optional<KerberosLogin> login;
  private final Duration wholeLimit;
  private final Map<String, String> cookies = new ConcurrentHashMap<>();
  private Client client;

  /** A client of certificates as they are now. */
  private record Client(Optional<SSLContext> context, HttpClient http) {}

  /** For pages that are not protected. */
  public HttpJmx() {
    this(false, Optional.empty(), Optional.empty());
  }

  /**
   * @param https whether addresses without a scheme are of pages by HTTPS
   * @param tls whom to trust; empty: whom the JDK trusts
   * @param login for pages that ask for a Kerberos ticket
   */
  public HttpJmx(boolean https, Optional<Tls> tls, Optional<KerberosLogin> login) {
    this(https, tls, login, WHOLE_LIMIT);
  }

  /**
   * @param wholeLimit of an answer, its body included
   */
  HttpJmx(boolean https, Optional<Tls> tls, Optional<KerberosLogin> login, Duration wholeLimit) {
    this.wholeLimit = wholeLimit;
    this.https = https;
    this.tls = tls;
    this.login = login;
  }

  private synchronized HttpClient http() throws IOException {
    Optional<SSLContext> now =
        tls.isPresent() ? Optional.of(tls.get().context()) : Optional.empty();
    if (client == null || !client.context().equals(now)) {
      HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT);
      now.ifPresent(builder::sslContext);
      client = new Client(now, builder.build());
    }
    return client.http();
  }

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

  /** A failure of a page, told from one that passes. */
  static IOException failed(String address, IOException e) {
    String problem = address + ": " + HBaseErrors.line(e);
    Optional<String> mend = mend(problem);
    return mend.isPresent()
        ? new RefusedPageException(problem, mend.get(), e)
        : new IOException(problem, e);
  }

  /** By what the JDK says of a handshake that failed, and by this class's own words. */
  private static Optional<String> mend(String problem) {
    return Reach.mendOfHttps(problem, "pages.tls.trustStore")
        .or(
            () ->
                problem.contains("HTTP status 401")
                    ? Optional.of(
                        "set kerberos, and let its principal in:"
                            + " hbase.security.authentication.spnego.admin.users")
                    : Optional.empty());
  }

  private JsonNode get(String address, String path) throws IOException {
    String base = address.contains("://") ? address : (https ? "https://" : "http://") + address;
    URI uri = URI.create(base + path);
    try {
      HttpResponse<byte[]> answer = send(request(uri));
      if (asksForTicket(answer) && login.isPresent()) {
        String token = Base64.getEncoder().encodeToString(login.get().negotiate(uri.getHost()));
        answer =
            send(
                HttpRequest.newBuilder(request(uri), (name, value) -> !name.equals("Cookie"))
                    .header("Authorization", NEGOTIATE + " " + token)
                    .build());
        keepCookie(uri, answer);
      }
      if (asksForTicket(answer)) {
        throw new IOException(
            login.isPresent()
                ? "HTTP status 401: the page refuses the ticket"
                : "HTTP status 401: the page asks for a Kerberos ticket");
      }
      if (answer.statusCode() != 200) {
        throw new IOException("HTTP status " + answer.statusCode());
      }
      return MAPPER.readTree(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(address + ": interrupted");
    } catch (IOException e) {
      throw failed(address, e);
    }
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    return WholeAnswer.send(http(), request, wholeLimit, ANSWER_MAX_BYTES);
  }

  private HttpRequest request(URI uri) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).header("Accept", "application/json").timeout(TIMEOUT);
    String cookie = cookies.get(uri.getAuthority());
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    return request.build();
  }

  private static boolean asksForTicket(HttpResponse<?> answer) {
    return answer.statusCode() == 401
        && answer.headers().allValues("WWW-Authenticate").stream()
            .anyMatch(offer -> offer.startsWith(NEGOTIATE));
  }

  private void keepCookie(URI uri, HttpResponse<?> answer) {
    answer.headers().allValues("Set-Cookie").stream()
        .filter(cookie -> cookie.startsWith(COOKIE))
        .findFirst()
        .ifPresent(cookie -> cookies.put(uri.getAuthority(), cookie.split(";", 2)[0]));
  }
}
