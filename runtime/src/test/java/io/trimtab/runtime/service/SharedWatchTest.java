package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.runtime.FakeEngine;
import io.trimtab.runtime.ports.SystemPorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two agreements on one cluster, of which each needs two nodes for its 8 clients. */
class SharedWatchTest {
  @TempDir Path folder;

  /** Time that has passed beside the real one. */
  private volatile Duration later = Duration.ZERO;

  @BeforeEach
  void files() throws Exception {
    agreement("shop", "40ms");
    agreement("logs", "40ms");
    Files.writeString(
        folder.resolve("t.csv"),
        """
        workload,nodeType,clients,nodes,responseTimeMs,throughputMBps
        zipf,small,8,2,30,5
        zipf,small,16,2,60,5
        zipf,small,8,4,15,10
        zipf,small,16,4,30,10
        """);
  }

  private void agreement(String name, String responseTime) throws Exception {
    Files.writeString(
        folder.resolve(name + ".yaml"),
        "{name: %s, workload: zipf, clients: 8, objective: {responseTime: %s}}"
            .formatted(name, responseTime));
  }

  private SloSettings.Builder settings(String... also) {
    return SloSettings.builder()
        .sla(folder.resolve("shop.yaml").toString())
        .also(List.of(also).stream().map(name -> folder.resolve(name).toString()).toList())
        .tables(List.of(folder.resolve("t.csv").toString()))
        .listen("127.0.0.1:0");
  }

  private ServiceWatch open(int nodesMax, String... also) {
    return open(settings(also).build(), nodesMax);
  }

  private ServiceWatch open(SloSettings settings, int nodesMax) {
    return ServiceWatch.open(
        settings,
        nodesMax,
        () -> System.nanoTime() + later.toNanos(),
        SystemPorts.ports().listeners());
  }

  private static String post(ServiceWatch watch, String tenant, int clients, int ms)
      throws Exception {
    String body =
        """
        {"tenant":"%s","client":"a","clients":%d,"responseTimeMs":%d,"throughputMBps":2.5}\
        """
            .formatted(tenant, clients, ms);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + watch.port() + "/report"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void eachAgreementHasTheReportsOfItsOwnClients() throws Exception {
    try (ServiceWatch watch = open(20, "logs.yaml")) {
      post(watch, "shop", 8, 10);
      post(watch, "logs", 4, 50);
      watch.check(new FakeEngine(4, 2).snapshot());

      assertThat(watch.services()).extracting(Service::tenant).containsExactly("shop", "logs");
      assertThat(watch.services().get(0).checks().get(0).responseTimeMs()).isEqualTo(10);
      assertThat(watch.services().get(1).checks().get(0).responseTimeMs()).isEqualTo(50);
      assertThat(watch.clientsNow())
          .extracting(AgreedClients.Seen::clients)
          .as("by agreement")
          .containsExactly(8, 4);
      assertThat(watch.responseTimeMs()).as("of all clients").isEqualTo((8 * 10 + 4 * 50) / 12.0);
    }
  }

  /** All that its clients report would be refused, and no node given back while nobody tells. */
  @Test
  void aTenantWithoutATokenIsToldBeforeAnythingIsDone() throws Exception {
    Path tokens = folder.resolve("tokens.yaml");
    Files.writeString(tokens, "tokens: {shop: a-token-0123456789}\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    SloSettings both = settings("logs.yaml").tokens(tokens.toString()).build();
    String missing =
        "slo.tokens: " + tokens + " has no token of tenant logs, whose agreement is to be kept";

    assertThatThrownBy(() -> ServiceWatch.check(both, 20))
        .isInstanceOf(UserError.class)
        .hasMessage(missing);
    assertThatThrownBy(() -> open(both, 20)).isInstanceOf(UserError.class).hasMessage(missing);
    try (ServiceWatch shop = open(settings().tokens(tokens.toString()).build(), 20)) {
      assertThat(shop.port()).isPositive();
    }
  }

  /** Four nodes are enough for 16 clients, but two of them are needed for the clients of logs. */
  @Test
  void clientsAboveTheAgreedNumberHaveTheNodesThatTheOthersDoNotNeed() throws Exception {
    try (ServiceWatch watch = open(20, "logs.yaml")) {
      watch.check(new FakeEngine(4, 2).snapshot());
      assertThat(post(watch, "shop", 16, 30)).contains("\"admittedMBps\":5.000000");
      assertThat(post(watch, "logs", 8, 30)).as("as many as were agreed").isEmpty();
    }
    try (ServiceWatch watch = open(20)) {
      watch.check(new FakeEngine(4, 2).snapshot());
      assertThat(post(watch, "shop", 16, 30)).as("alone").isEmpty();
    }
  }

  /** A node that was added by it would serve nobody. */
  @Test
  void whatWasCheckedTellsNothingWhenNobodyReportsAnyMore() throws Exception {
    try (ServiceWatch watch = open(20)) {
      post(watch, "shop", 8, 90);
      watch.check(new FakeEngine(4, 2).snapshot());
      later = Duration.ofSeconds(60);
      watch.check(new FakeEngine(4, 2).snapshot());
      assertThat(watch.services().get(0).checks()).as("a client may pause").hasSize(2);

      later = Duration.ofSeconds(90);
      watch.check(new FakeEngine(4, 2).snapshot());
      assertThat(watch.services().get(0).checks()).isEmpty();
    }
  }

  @Test
  void oneThatNeedsMoreNodesThanThereMayBeIsToldFromTheStart() throws Exception {
    try (ServiceWatch watch = open(1)) {
      assertThat(watch.tooFew())
          .contains(
              "agreement shop: by its table the agreed clients need 2 nodes, and there may be at"
                  + " most 1: raise guard.maxNodes, or agree on less");
    }
    try (ServiceWatch watch = open(2)) {
      assertThat(watch.tooFew()).isEmpty();
    }
  }

  @Test
  void agreementsThatNeedMoreNodesThanThereMayBeAreRefused() throws Exception {
    assertThatThrownBy(() -> open(3, "logs.yaml"))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "slo.also: the agreements need 4 nodes together (shop 2, logs 2), and there may be at"
                + " most 3: raise guard.maxNodes, or name fewer agreements");
    Path logs = folder.resolve("logs.yaml");
    String fewer = Files.readString(logs).replace("clients: 8", "clients: 8, maxNodes: 2");
    Files.writeString(logs, fewer);
    assertThatThrownBy(() -> open(3, "logs.yaml"))
        .isInstanceOf(UserError.class)
        .hasMessageEndingWith(
            "at most 2: raise maxNodes of " + logs + ", or name fewer agreements");
    agreement("logs", "1ms");
    assertThatThrownBy(() -> open(20, "logs.yaml"))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(
            folder.resolve("logs.yaml") + ": no measured cluster is known to meet it");
    Files.copy(folder.resolve("shop.yaml"), folder.resolve("again.yaml"));
    assertThatThrownBy(() -> open(20, "again.yaml"))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "%s: has the name shop, as %s has; reports could not be told apart"
                .formatted(folder.resolve("again.yaml"), folder.resolve("shop.yaml")));
  }
}
