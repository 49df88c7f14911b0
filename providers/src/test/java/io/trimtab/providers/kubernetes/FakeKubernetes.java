package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.trimtab.config.Secret;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A Kubernetes of a mock API server and controllers of our own; close it. */
final class FakeKubernetes implements AutoCloseable {
  static final String NAMESPACE = "db";
  static final String NODES = "{pod}.rs.db.svc:16020";

  final FakeServer server = new FakeServer();
  final KubernetesClient client;
  final FakeControllers controllers;
  final List<String> told = new CopyOnWriteArrayList<>();
  private final KubernetesMockServer http;
  private final Path token;

  FakeKubernetes() throws IOException {
    // Only its owner may read it: so are all files that Java makes for a while.
    token = Files.writeString(Files.createTempFile("token", ""), "t");
    http =
        new KubernetesMockServer(
            new Context(Serialization.jsonMapper()),
            new MockWebServer(),
            new HashMap<>(),
            server,
            false);
    http.start();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(http.url("/"))
            .withNamespace(NAMESPACE)
            .withHttp2Disable(true)
            .build();
    client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
    controllers = new FakeControllers(client);
  }

  /** The token is not there any more. */
  void loseToken() throws IOException {
    Files.delete(token);
  }

  /** Creates a resource of a kind that Kubernetes itself has. */
  void create(String yaml) {
    client.resource(yaml).inNamespace(NAMESPACE).create();
  }

  /** A StatefulSet whose pods are labelled with its name. */
  void statefulSet(String name, int replicas, String more) {
    create(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: %1$s
        %3$s
        spec:
          replicas: %2$d
          selector:
            matchLabels: {app: %1$s}
        """
            .formatted(name, replicas, more));
  }

  void configMap(String name) {
    create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n".formatted(name));
  }

  /** A datacenter of two racks, whose StatefulSets cass-operator has made. */
  void datacenter(int size, String progress) {
    String uid =
        client
            .genericKubernetesResources(Kind.CASSANDRA_DATACENTER.context())
            .inNamespace(NAMESPACE)
            .resource(
                client
                    .getKubernetesSerialization()
                    .unmarshal(
                        """
                        apiVersion: cassandra.datastax.com/v1beta1
                        kind: CassandraDatacenter
                        metadata: {name: dc1}
                        spec:
                          size: %d
                          racks: [{name: r1}, {name: r2}]
                        status: {cassandraOperatorProgress: %s}
                        """
                            .formatted(size, progress),
                        GenericKubernetesResource.class))
            .create()
            .getMetadata()
            .getUid();
    for (String rack : List.of("r1", "r2")) {
      statefulSet(
          "c-dc1-" + rack + "-sts",
          0,
          "  labels: {cassandra.datastax.com/rack: %s}\n".formatted(rack)
              + "  ownerReferences: [{apiVersion: cassandra.datastax.com/v1beta1, kind:"
              + " CassandraDatacenter, name: dc1, uid: %s, controller: true}]".formatted(uid));
    }
  }

  PoolSettings pool(String set, String profile, String configMap) {
    return new PoolSettings(set, null, profile, configMap, 3);
  }

  KubernetesSettings settings(String node, List<String> takeOver, PoolSettings... pools) {
    return new KubernetesSettings(
        null,
        null,
        http.url("/"),
        null,
        Secret.parse("file:" + token),
        NAMESPACE,
        List.of(pools),
        node,
        takeOver,
        Duration.ofSeconds(1),
        Duration.ofMillis(100),
        Duration.ZERO,
        0.5,
        null);
  }

  /** The same for a controller that is another process. */
  String yaml(PoolSettings pool) {
    String map = pool.configMap() == null ? "" : ", configMap: " + pool.configMap();
    return """
        provider:
          kubernetes:
            server: %s
            token: file:%s
            namespace: %s
            node: "%s"
            placement: 1s
            poll: 100ms
            keep: 0s
            pools:
            - {%s: %s%s, max: %d}
        """
        .formatted(
            http.url("/"),
            token,
            NAMESPACE,
            NODES,
            pool.statefulSet() == null ? "cassandraDatacenter" : "statefulSet",
            pool.name(),
            map,
            pool.max());
  }

  NodeProvider provider(KubernetesSettings settings) {
    return settings.provider(
        new ProviderContext(
            () -> Snapshots.of(running(settings.node())),
            ProviderContext.Words.PLAIN,
            id -> Path.of("unused"),
            told::add));
  }

  /** A provider of these pools. */
  NodeProvider provider(PoolSettings... pools) {
    return provider(settings(NODES, List.of(), pools));
  }

  /** The nodes of ready pods, and the numbers of their processes. */
  Map<NodeId, Long> running(String template) {
    Map<NodeId, Long> running = new TreeMap<>();
    for (Pod pod : pods()) {
      if (Pods.ready(pod)) {
        new NodeTemplate(template)
            .node(pod.getMetadata().getName(), Optional.of(pod))
            .ifPresent(node -> running.put(node, FakeControllers.process(pod)));
      }
    }
    return running;
  }

  List<Pod> pods() {
    return client.pods().inNamespace(NAMESPACE).list().getItems();
  }

  List<String> podNames() {
    List<String> names = new ArrayList<>();
    pods().forEach(pod -> names.add(pod.getMetadata().getName()));
    names.sort(null);
    return names;
  }

  int replicas(String set) {
    return client
        .apps()
        .statefulSets()
        .inNamespace(NAMESPACE)
        .withName(set)
        .get()
        .getSpec()
        .getReplicas();
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(token);
    try {
      controllers.close();
    } finally {
      client.close();
      http.shutdown();
    }
  }
}
