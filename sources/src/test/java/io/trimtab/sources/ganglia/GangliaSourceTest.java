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
import java.util.Optional;
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

  /** As Debian's gmond.conf has it: memory each three minutes, the size of disks once an hour. */
  @Test
  void whatAHostHasNotSentAgainHoldsAsLongAsItReports() throws IOException {
    Map<NodeId, NodeReadings> told =
        read(AnsweringServer.sample("gmetad.xml"), "hosts: {worker2: 10.0.0.2}", "mounts: [\"*\"]");

    NodeReadings one = told.get(ONE);
    Instant reported = NOW.minusSeconds(5);
    assertThat(one.of(Metric.CPU_USER)).contains(new Reading(0.42, reported));
    assertThat(one.of(Metric.CPU_SYSTEM)).contains(new Reading(0.125, reported));
    assertThat(one.of(Metric.CPU_IO_WAIT)).contains(new Reading(0.25, reported));
    assertThat(one.of(Metric.CORES)).contains(new Reading(4, reported));
    assertThat(one.of(Metric.LOAD5)).contains(new Reading(0.5, reported));
    assertThat(one.of(Metric.MEMORY_USED)).contains(new Reading(4L << 30, reported));
    assertThat(one.of(Metric.DISK_SIZE)).contains(new Reading(100e9, reported));
    assertThat(one.of(Metric.DISK_FREE)).contains(new Reading(60e9, reported));
    assertThat(told.get(TWO).values()).containsOnlyKeys(Metric.CPU_USER);
    assertThat(told.get(TWO).of(Metric.CPU_USER)).contains(new Reading(0.1, NOW.minusSeconds(95)));
    assertThat(told).doesNotContainKey(THREE);
  }

  @Test
  void whatAHostShouldLongHaveSentAgainIsUnknown() throws IOException {
    assertThat(one("3", metric("cpu_wio", "25.0", "360", "90")))
        .contains(new Reading(0.25, NOW.minusSeconds(3)));
    assertThat(one("3", metric("cpu_wio", "25.0", "361", "90"))).isEmpty();
    assertThat(one("3", metric("cpu_wio", "25.0", "5", ""))).as("no TMAX").isEmpty();
    assertThat(one("3", metric("cpu_wio", "25.0", "", "90"))).as("no TN").isEmpty();
    assertThat(one("", metric("cpu_wio", "25.0", "5", "90"))).as("a host without TN").isEmpty();
  }

  private static Optional<Reading> one(String silent, String metric) throws IOException {
    String xml = "<GANGLIA_XML>" + host("node1", silent, metric) + "</GANGLIA_XML>";
    return read(xml).get(ONE).of(Metric.CPU_IO_WAIT);
  }

  private static String host(String name, String silent, String metric) {
    return "<HOST NAME=\"%s\" IP=\"10.9.9.9\" TN=\"%s\" TMAX=\"20\">%s</HOST>"
        .formatted(name, silent, metric);
  }

  private static String metric(String name, String value, String age, String interval) {
    return "<METRIC NAME=\"%s\" VAL=\"%s\" TN=\"%s\" TMAX=\"%s\"/>"
        .formatted(name, value, age, interval);
  }

  /** In two of a grid's clusters. */
  private static Map<NodeId, NodeReadings> twice(String silentFirst, String silentSecond)
      throws IOException {
    return read(
        "<GANGLIA_XML><CLUSTER NAME=\"a\">"
            + host("node1", silentFirst, metric("cpu_wio", "10.0", "1", "90"))
            + "</CLUSTER><CLUSTER NAME=\"b\">"
            + host("node1", silentSecond, metric("cpu_wio", "20.0", "1", "90"))
            + "</CLUSTER></GANGLIA_XML>");
  }

  @Test
  void ofTwoEntriesForOneHostTheOneThatIsUpCountsAndOfTwoThatAreItIsUnknown() throws IOException {
    assertThat(twice("5", "5")).as("whichever is last").isEmpty();
    assertThat(twice("5", "81").get(ONE).of(Metric.CPU_IO_WAIT))
        .contains(new Reading(0.1, NOW.minusSeconds(5)));
    assertThat(twice("90000", "7").get(ONE).of(Metric.CPU_IO_WAIT))
        .contains(new Reading(0.2, NOW.minusSeconds(7)));
    assertThat(twice("90000", "100")).as("none is up").isEmpty();
  }

  @Test
  void disksOfTheWholeMachineAreOnlyTakenWhereTheyAreMeant() throws IOException {
    assertThat(read(AnsweringServer.sample("gmetad.xml")).get(ONE).values())
        .doesNotContainKeys(Metric.DISK_SIZE, Metric.DISK_FREE);
  }

  @Test
  void noEntityIsReadFromAnywhere(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "42");
    String metric = metric("cpu_wio", "&x;", "1", "90");
    String host = "<GANGLIA_XML>" + host("node1", "1", metric) + "</GANGLIA_XML>";
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
