package io.trimtab.sources.ganglia;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.metrics.Reading;
import io.trimtab.sources.AnsweringServer;
import io.trimtab.sources.Configs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A document as of a gmetad, written by hand after the format's documentation, from a socket of
 * this machine.
 */
class GangliaSourceTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final NodeId ONE = new NodeId("node1:16020");
  private static final NodeId TWO = new NodeId("worker2:16020");
  private static final NodeId THREE = new NodeId("worker3:16020");

  /** Writes to whoever connects, and closes or keeps the connection. */
  private static final class Daemon implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final List<Socket> kept = new ArrayList<>();

    Daemon(String xml, boolean ends) throws IOException {
      Thread writer =
          new Thread(
              () -> {
                try {
                  Socket client = server.accept();
                  OutputStream out = client.getOutputStream();
                  out.write(xml.getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                  kept.add(client);
                  if (ends) {
                    client.close();
                  }
                } catch (IOException e) {
                  // The test has ended.
                }
              });
      writer.setDaemon(true);
      writer.start();
    }

    @Override
    public void close() throws IOException {
      server.close();
      for (Socket client : kept) {
        client.close();
      }
    }
  }

  private static Map<NodeId, NodeReadings> read(Daemon daemon, String... more) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("type: ganglia");
    lines.add("address: 127.0.0.1:" + daemon.server.getLocalPort());
    lines.addAll(Arrays.asList(more));
    try (GangliaSource source =
        new GangliaSource(Configs.source(lines.toArray(String[]::new)), Clock.fixed(NOW, UTC))) {
      return source.read(List.of(ONE, TWO, THREE));
    }
  }

  private static Map<NodeId, NodeReadings> read(String xml, String... more) throws IOException {
    try (Daemon daemon = new Daemon(xml, true)) {
      return read(daemon, more);
    }
  }

  @Test
  void whatGmetadTellsIsReadWithItsAge() throws IOException {
    Map<NodeId, NodeReadings> told =
        read(AnsweringServer.sample("gmetad.xml"), "hosts: {worker2: 10.0.0.2}", "mounts: [\"*\"]");

    NodeReadings one = told.get(ONE);
    assertThat(one.of(Metric.CPU_USER)).contains(new Reading(0.42, NOW.minusSeconds(10)));
    assertThat(one.of(Metric.CPU_SYSTEM)).contains(new Reading(0.125, NOW.minusSeconds(10)));
    assertThat(one.of(Metric.CPU_IO_WAIT)).contains(new Reading(0.25, NOW.minusSeconds(10)));
    assertThat(one.of(Metric.CORES)).contains(new Reading(4, NOW.minusSeconds(600)));
    assertThat(one.of(Metric.LOAD5)).contains(new Reading(0.5, NOW.minusSeconds(30)));
    assertThat(one.of(Metric.MEMORY_USED)).contains(new Reading(4L << 30, NOW.minusSeconds(20)));
    assertThat(one.of(Metric.DISK_SIZE).orElseThrow().value()).isEqualTo(100e9);
    assertThat(one.of(Metric.DISK_FREE).orElseThrow().value()).isEqualTo(60e9);
    assertThat(told.get(TWO).values()).containsOnlyKeys(Metric.CPU_USER);
    assertThat(told.get(TWO).of(Metric.CPU_USER)).contains(new Reading(0.1, NOW.minusSeconds(95)));
    assertThat(told).doesNotContainKey(THREE);
  }

  @Test
  void disksOfTheWholeMachineAreOnlyTakenWhereTheyAreMeant() throws IOException {
    assertThat(read(AnsweringServer.sample("gmetad.xml")).get(ONE).values())
        .doesNotContainKeys(Metric.DISK_SIZE, Metric.DISK_FREE);
  }

  @Test
  void noEntityIsReadFromAnywhere(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "42");
    String host =
        "<GANGLIA_XML><HOST NAME=\"node1\" IP=\"1.2.3.4\">"
            + "<METRIC NAME=\"cpu_wio\" VAL=\"&x;\" TN=\"1\"/></HOST></GANGLIA_XML>";
    for (String entity : List.of("SYSTEM \"" + secret.toUri() + "\"", "\"42\"")) {
      assertThat(told("<!DOCTYPE GANGLIA_XML [<!ENTITY x %s>]>".formatted(entity) + host))
          .doesNotContain("42");
    }
    String inText = "<!DOCTYPE G [<!ENTITY x \"y\">]><GANGLIA_XML>&x;</GANGLIA_XML>";
    assertThat(told(inText)).isNotEqualTo("y");
  }

  private static String told(String xml) {
    try {
      return read(xml).toString();
    } catch (IOException e) {
      return "refused";
    }
  }

  @Test
  void whatBreaksOffIsNotHalfTaken() {
    String whole = AnsweringServer.sample("gmetad.xml");
    assertThatThrownBy(() -> read(whole.substring(0, whole.length() / 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("metric source ganglia at 127.0.0.1")
        .hasMessageContaining("not whole XML");
    assertThatThrownBy(() -> read("<html></html>")).hasMessageContaining("not Ganglia's XML");
    assertThatThrownBy(() -> read("")).isInstanceOf(IOException.class);
  }

  @Test
  void aDaemonThatNeverEndsIsGivenUp() throws IOException {
    try (Daemon daemon = new Daemon("<GANGLIA_XML>", false)) {
      assertThatThrownBy(() -> read(daemon, "timeout: 300ms"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("metric source ganglia");
    }
  }
}
