package io.trimtab.providers.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.Redaction;
import io.trimtab.engineapi.EngineException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class HttpTest {
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Subject-Token: s3cr3t\r\n"
          + "Content-Length: 2\r\n\r\n{}";

  private final List<String> answered = new CopyOnWriteArrayList<>();

  /** Answers one request on each connection, and hangs up on the next one. */
  private void serve(ServerSocket server) {
    try {
      while (true) {
        Socket client = server.accept();
        Thread thread = new Thread(() -> once(client));
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private void once(Socket client) {
    try (client) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
      String request = head(in);
      answered.add(request);
      client.getOutputStream().write(ANSWER.getBytes(StandardCharsets.ISO_8859_1));
      head(in);
    } catch (IOException e) {
      // The client has hung up first.
    }
  }

  /** The first line of a request without a body. */
  private static String head(BufferedReader in) throws IOException {
    String first = in.readLine();
    String line = first;
    while (line != null && !line.isEmpty()) {
      line = in.readLine();
    }
    return first;
  }

  /** As Nova does, now and then, with a connection that was kept. */
  @Test
  void aChangeIsMadeThoughTheServerHangsUpOnConnectionsThatAreKept() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread serving = new Thread(() -> serve(server));
      serving.setDaemon(true);
      serving.start();
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/servers/1");
      Http http = new Http(Duration.ofSeconds(5), Optional.empty());

      send(http, "GET", uri);
      send(http, "DELETE", uri);
      send(http, "POST", uri);
    }
    assertThat(answered)
        .containsExactly(
            "GET /servers/1 HTTP/1.1", "DELETE /servers/1 HTTP/1.1", "POST /servers/1 HTTP/1.1");
  }

  private static void send(Http http, String method, URI uri) throws EngineException {
    Redaction nothing = new Redaction(List.of());
    Http.Answer answer = http.send("Nova", method, uri, Map.of(), null, nothing);
    assertThat(answer.body().isObject()).isTrue();
    assertThat(answer.headers().firstValue("X-Subject-Token")).hasValue("s3cr3t");
    assertThat(answer.toString()).doesNotContain("s3cr3t");
  }
}
