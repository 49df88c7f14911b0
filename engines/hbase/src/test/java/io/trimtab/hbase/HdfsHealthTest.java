package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.hbase.pages.HttpJmx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HdfsHealthTest {

  private static String lacking(String bean) throws JsonProcessingException {
    return HdfsHealth.lacking(new JsonMapper().readTree(bean));
  }

  @Test
  void everythingThatIsNotWholeIsNamed() throws JsonProcessingException {
    assertThat(
            lacking(
                """
                {"UnderReplicatedBlocks": 2, "PendingReplicationBlocks": 0, "MissingBlocks": 4,
                 "StaleDataNodes": 1}
                """))
        .isEqualTo("UnderReplicatedBlocks 2, MissingBlocks 4, StaleDataNodes 1");
    assertThat(lacking("{\"UnderReplicatedBlocks\": 0}")).isEmpty();
  }

  @Test
  void aNameNodeThatDoesNotSayIsNotTakenForWhole() throws JsonProcessingException {
    assertThat(lacking("{}")).isNotEmpty();
  }

  /** A page that tells what is put into it; an error if that is nothing. */
  private static final class Page implements AutoCloseable {
    private final HttpServer server;
    private volatile Optional<String> liveNodes = Optional.empty();

    Page() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange asked) throws IOException {
      ObjectNode beans = new JsonMapper().createObjectNode();
      liveNodes.ifPresent(live -> beans.putArray("beans").addObject().put("LiveNodes", live));
      byte[] text = beans.toString().getBytes(StandardCharsets.UTF_8);
      asked.sendResponseHeaders(liveNodes.isPresent() ? 200 : 503, text.length);
      asked.getResponseBody().write(text);
      asked.close();
    }

    String address() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private static final String ONE =
      """
      {"h1:9866": {"xferaddr": "127.0.0.9:9866", "usedSpace": 3, "nonDfsUsedSpace": 2,
       "remaining": 5}}
      """;

  private static HdfsHealth health(String address, boolean given, String root) {
    Map<String, String> settings =
        Map.of("hbase.rootdir", root, "dfs.namenode.http-address", address);
    Optional<String> nameNode = given ? Optional.of(address) : Optional.empty();
    ClusterFacts facts = ClusterFacts.of("c", "2.6.4", nameNode, Optional.of(settings));
    return new HdfsHealth(new HttpJmx(), () -> facts);
  }

  @Test
  void aNameNodeThatFallsSilentIsMissed() throws IOException {
    try (Page page = new Page()) {
      HdfsHealth hdfs = health(page.address(), false, "hdfs://h/hbase");
      assertThat(hdfs.dataNodes().isEmpty()).as("never answered").isTrue();
      assertThat(hdfs.mustAnswer()).isFalse();

      page.liveNodes = Optional.of(ONE);
      assertThat(hdfs.dataNodes().on("127.0.0.9")).isEqualTo(new DiskSpace(10, 5, 3));

      page.liveNodes = Optional.empty();
      assertThatThrownBy(hdfs::dataNodes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("503");
      page.liveNodes = Optional.of("{}");
      assertThatThrownBy(hdfs::dataNodes)
          .hasMessage("no NameNode of [" + page.address() + "] knows a live DataNode");
      assertThat(hdfs.mustAnswer()).isTrue();
    }
  }

  @Test
  void aNameNodeWhoseAddressWasGivenIsMissedFromTheStart() throws IOException {
    try (Page page = new Page()) {
      assertThatThrownBy(health(page.address(), true, "hdfs://h/hbase")::dataNodes)
          .isInstanceOf(IOException.class);
      assertThat(health(page.address(), true, "file:///data").dataNodes().isEmpty()).isTrue();
    }
  }

  /** By HTTPS where only that is served, and said where HBase's own pages are served otherwise. */
  @Test
  void theNameNodesPageIsServedAsHdfsSays() {
    Map<String, String> hdfs =
        Map.of(
            "dfs.namenode.http-address", "h:9870",
            "dfs.namenode.https-address", "h:9871",
            "dfs.http.policy", "HTTPS_ONLY");
    assertThat(nameNodes(hdfs)).containsExactly("https://h:9871");
    Map<String, String> both = new HashMap<>(hdfs);
    both.put("hbase.ssl.enabled", "true");
    assertThat(nameNodes(both)).containsExactly("h:9871");
    both.put("dfs.http.policy", "HTTP_ONLY");
    assertThat(nameNodes(both)).containsExactly("http://h:9870");
  }

  /** Its NameNode would say that nothing is short of copies. */
  @Test
  void noOtherHdfsIsAskedForTheDatasCopies() {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.rootdir", "hdfs://prod/hbase");
    settings.put("dfs.nameservices", "prod,dr");
    settings.put("dfs.namenode.http-address.dr.nn1", "dr1:9870");
    assertThat(nameNodes(settings)).isEmpty();
    ClusterFacts facts = ClusterFacts.of("c", "2.6.4", Optional.empty(), Optional.of(settings));
    assertThatThrownBy(
            () -> new HdfsHealth(new HttpJmx(), () -> facts).awaitWhole(Duration.ofSeconds(20)))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "can't check whether HDFS has all copies: the master's settings do not tell the web"
                + " address of its NameNode; set nameNode of the connection");
  }

  private static List<String> nameNodes(Map<String, String> settings) {
    return ClusterFacts.of("c", "2.6.4", Optional.empty(), Optional.of(settings)).nameNodes();
  }

  @Test
  void settingsThatTheMasterDidNotTellAreAskedForAgain() {
    ClusterFacts unknown = ClusterFacts.of("c", "2.6.4", Optional.empty(), Optional.empty());
    assertThat(unknown.settingsRead()).isFalse();
    assertThat(unknown.again(Optional.empty(), Optional::empty)).isEqualTo(unknown);

    Map<String, String> told =
        Map.of("dfs.namenode.http-address", "h:9870", "dfs.replication", "2");
    ClusterFacts known = unknown.again(Optional.empty(), () -> Optional.of(told));
    assertThat(known.nameNodes()).containsExactly("h:9870");
    assertThat(known.replication()).isEqualTo(2);
    assertThat(known.again(Optional.empty(), Optional::empty)).isSameAs(known);
  }
}
