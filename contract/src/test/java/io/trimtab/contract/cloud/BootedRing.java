package io.trimtab.contract.cloud;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.LabNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceAttributeName;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.Tag;

/**
 * The machines of a moto server, made to boot: each that runs starts a real node of a lab, as its
 * marks and its user data say, and takes the node's address for its name. One that stops takes its
 * node with it. The nodes that the lab has already get machines, too.
 */
final class BootedRing implements AutoCloseable {
  private static final String NAME = "Name";

  private final Ec2Client api;
  private final CassandraLab lab;
  private final String cluster;
  private final Map<String, NodeId> nodes = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  BootedRing(Ec2Client api, CassandraLab lab, String cluster) {
    this.api = api;
    this.lab = lab;
    this.cluster = cluster;
    lab.nodes().forEach(this::adopt);
    // What goes wrong is kept by the look itself.
    Future<?> unused = thread.scheduleWithFixedDelay(this::look, 0, 500, TimeUnit.MILLISECONDS);
  }

  /** As an operator marks machines that were there before. */
  private void adopt(LabNode node) {
    Instance machine =
        api.runInstances(
                r ->
                    r.imageId("ami-12c6146b")
                        .minCount(1)
                        .maxCount(1)
                        .tagSpecifications(
                            t ->
                                t.resourceType(ResourceType.INSTANCE)
                                    .tags(
                                        tag("trimtab-cluster", cluster),
                                        tag(NAME, ProvidedRing.host(node.id())))))
            .instances()
            .get(0);
    nodes.put(machine.instanceId(), node.id());
  }

  private static Tag tag(String key, String value) {
    return Tag.builder().key(key).value(value).build();
  }

  /** All machines, those that have ended included. */
  List<Instance> machines() {
    List<Instance> all = new ArrayList<>();
    api.describeInstances().reservations().forEach(r -> all.addAll(r.instances()));
    return all;
  }

  /** The nodes of machines that run. */
  int nodes() {
    return nodes.size();
  }

  /** What went wrong on a machine; null if nothing did. */
  Exception failure() {
    return failure.get();
  }

  private void look() {
    try {
      for (Instance machine : machines()) {
        String id = machine.instanceId();
        if (machine.state().name() == InstanceStateName.RUNNING) {
          if (!nodes.containsKey(id)) {
            nodes.put(id, boot(machine));
          }
        } else if (nodes.containsKey(id)) {
          lab.provider().remove(nodes.get(id), BootedNode.LIMIT);
          nodes.remove(id);
        }
      }
    } catch (EngineException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private NodeId boot(Instance machine) throws EngineException {
    String profile =
        machine.tags().stream()
            .filter(tag -> tag.key().equals("trimtab-profile"))
            .findFirst()
            .orElseThrow()
            .value();
    NodeId node = BootedNode.start(lab, "booted/" + machine.instanceId(), profile, tokens(machine));
    api.createTags(r -> r.resources(machine.instanceId()).tags(tag(NAME, ProvidedRing.host(node))));
    return node;
  }

  /** Of the line {@code tokens 1,2,3} of the user data. */
  private String tokens(Instance machine) {
    String coded =
        api.describeInstanceAttribute(
                a -> a.instanceId(machine.instanceId()).attribute(InstanceAttributeName.USER_DATA))
            .userData()
            .value();
    String text = new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8);
    return text.strip().replaceFirst("^tokens ?", "");
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
