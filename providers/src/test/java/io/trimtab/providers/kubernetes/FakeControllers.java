package io.trimtab.providers.kubernetes;

import static io.trimtab.providers.kubernetes.FakeKubernetes.NAMESPACE;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the controllers of StatefulSets and the scheduler do, and cass-operator with the size of a
 * datacenter, as far as a provider sees it: pods in the order of their ordinals, each after the one
 * before is ready, and away in the reverse order.
 */
final class FakeControllers implements AutoCloseable {
  private static final String PROCESS = "test/process";
  private static final String PROFILE = "test/profile";

  /** While true nothing is done. */
  volatile boolean held;

  /** Pods that may be, by quota. */
  volatile int quota = Integer.MAX_VALUE;

  /** Pods that find a machine. */
  volatile int machines = Integer.MAX_VALUE;

  /** Whether new pods become ready. */
  volatile boolean healthy = true;

  private final KubernetesClient client;
  private final Thread thread = new Thread(this::run, "controllers");
  private volatile boolean closed;
  private volatile RuntimeException failure;
  private long process;
  private boolean failed;

  FakeControllers(KubernetesClient client) {
    this.client = client;
    thread.setDaemon(true);
    thread.start();
  }

  /** A number that differs for each pod that was started. */
  static long process(Pod pod) {
    return Long.parseLong(pod.getMetadata().getAnnotations().get(PROCESS));
  }

  /** The profile that a pod was started with; empty if it has no ConfigMap. */
  static String profile(Pod pod) {
    return pod.getMetadata().getAnnotations().get(PROFILE);
  }

  private void run() {
    while (!closed) {
      try {
        if (!held) {
          step();
        }
        Thread.sleep(20);
      } catch (InterruptedException e) {
        return;
      } catch (KubernetesClientException e) {
        // What others change meanwhile is looked at again.
        Set<Integer> usual =
            Set.of(HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND);
        if (!closed && !usual.contains(e.getCode())) {
          failure = e;
        }
      }
    }
  }

  private void step() {
    client
        .genericKubernetesResources(Kind.CASSANDRA_DATACENTER.context())
        .inNamespace(NAMESPACE)
        .list()
        .getItems()
        .forEach(this::spread);
    client.apps().statefulSets().inNamespace(NAMESPACE).list().getItems().forEach(this::settle);
  }

  /** Of n nodes in r racks each has n / r, and the first n % r have one more. */
  private void spread(GenericKubernetesResource datacenter) {
    Integer size = datacenter.get("spec", "size");
    List<Map<String, Object>> racks = datacenter.get("spec", "racks");
    for (int i = 0; i < racks.size(); i++) {
      int wanted = size / racks.size() + (i < size % racks.size() ? 1 : 0);
      String name = "c-dc1-" + racks.get(i).get("name") + "-sts";
      var set = client.apps().statefulSets().inNamespace(NAMESPACE).withName(name);
      if (set.get() != null && set.get().getSpec().getReplicas() != wanted) {
        set.patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":" + wanted + "}}");
      }
    }
  }

  private void settle(StatefulSet set) {
    int wanted = set.getSpec().getReplicas();
    TreeMap<Integer, Pod> pods = new TreeMap<>();
    for (Pod pod :
        client
            .pods()
            .inNamespace(NAMESPACE)
            .withLabels(set.getSpec().getSelector().getMatchLabels())
            .list()
            .getItems()) {
      String name = pod.getMetadata().getName();
      pods.put(Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)), pod);
    }
    if (!pods.isEmpty() && pods.lastKey() >= wanted) {
      client.resource(pods.lastEntry().getValue()).inNamespace(NAMESPACE).delete();
      return;
    }
    for (int ordinal = 0; ordinal < wanted; ordinal++) {
      Pod pod = pods.get(ordinal);
      if (pod == null) {
        start(set, set.getMetadata().getName() + "-" + ordinal);
        return;
      }
      if (!Pods.ready(pod)) {
        improve(pod);
        return;
      }
    }
  }

  private void start(StatefulSet set, String name) {
    int others = client.pods().inNamespace(NAMESPACE).list().getItems().size();
    if (others >= quota) {
      fail(set, name);
      return;
    }
    for (PersistentVolumeClaim template : set.getSpec().getVolumeClaimTemplates()) {
      claim(template.getMetadata().getName() + "-" + name);
    }
    process++;
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(NAMESPACE)
            .withLabels(set.getSpec().getSelector().getMatchLabels())
            .addToAnnotations(PROCESS, String.valueOf(process))
            .endMetadata()
            .withStatus(status(others));
    ConfigMap map =
        client.configMaps().inNamespace(NAMESPACE).withName(set.getMetadata().getName()).get();
    if (map != null && map.getData() != null && map.getData().containsKey("PROFILE")) {
      pod.editMetadata().addToAnnotations(PROFILE, map.getData().get("PROFILE")).endMetadata();
    }
    client.resource(pod.build()).inNamespace(NAMESPACE).create();
  }

  private void claim(String name) {
    if (client.persistentVolumeClaims().inNamespace(NAMESPACE).withName(name).get() == null) {
      client
          .resource(
              new PersistentVolumeClaimBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .withNamespace(NAMESPACE)
                  .endMetadata()
                  .build())
          .inNamespace(NAMESPACE)
          .create();
    }
  }

  /** A pod that waits for a machine or for its health gets it, if there is one by now. */
  private void improve(Pod pod) {
    int others = client.pods().inNamespace(NAMESPACE).list().getItems().size() - 1;
    Pod now = new PodBuilder(pod).withStatus(status(others)).build();
    if (Pods.ready(now)) {
      client.resource(now).inNamespace(NAMESPACE).update();
    }
  }

  private PodStatus status(int others) {
    if (others >= machines) {
      return new PodStatusBuilder()
          .withPhase("Pending")
          .addNewCondition()
          .withType("PodScheduled")
          .withStatus("False")
          .withReason("Unschedulable")
          .withMessage("0/3 nodes are available: 3 Insufficient memory.")
          .endCondition()
          .build();
    }
    return new PodStatusBuilder()
        .withPhase("Running")
        .withPodIP("10.0.0." + process)
        .addNewCondition()
        .withType("Ready")
        .withStatus(healthy ? "True" : "False")
        .endCondition()
        .build();
  }

  private void fail(StatefulSet set, String pod) {
    if (failed) {
      return;
    }
    failed = true;
    client
        .v1()
        .events()
        .inNamespace(NAMESPACE)
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withName("failed-" + pod)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withReason("FailedCreate")
                .withLastTimestamp("2026-01-31T12:00:00Z")
                .withMessage(
                    "create Pod %1$s in StatefulSet %2$s failed error: pods \"%1$s\" is forbidden:"
                            .formatted(pod, set.getMetadata().getName())
                        + " exceeded quota: pods, requested: pods=1, used: pods=1, limited: pods=1")
                .withNewInvolvedObject()
                .withKind("StatefulSet")
                .withName(set.getMetadata().getName())
                .endInvolvedObject()
                .build())
        .create();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
