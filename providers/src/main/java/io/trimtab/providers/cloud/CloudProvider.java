package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.providers.KeptOffer;
import io.trimtab.providers.Pause;
import io.trimtab.providers.ProviderContext;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes on machines of a cloud (Cruz 2016, §3.2.3; Konstantinou 2011, §2). A machine starts its
 * node by itself when it boots, and is marked with cluster and request from the start.
 */
public final class CloudProvider implements NodeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(CloudProvider.class);

  /** For which nothing more is asked for after a machine was refused for want of room. */
  private static final Duration FULL = Duration.ofMinutes(10);

  private final Cloud cloud;
  private final MachineSettings settings;
  private final ProviderContext context;
  private final MachineWait wait;
  private final KeptOffer offer;
  private final Set<String> told = new HashSet<>();
  private boolean full;
  private long fullNs;

  public CloudProvider(Cloud cloud, MachineSettings settings, ProviderContext context) {
    this.cloud = cloud;
    this.settings = settings;
    this.context = context;
    this.wait = new MachineWait(cloud, settings, context);
    this.offer =
        new KeptOffer(
            settings.keep(), cloud.title() + " does not tell what there is", this::capacity);
  }

  @Override
  public int spare() {
    return offer().spare();
  }

  @Override
  public NodeCapacity offer() {
    return offer.get();
  }

  private synchronized void refused() {
    full = true;
    fullNs = System.nanoTime();
  }

  private synchronized boolean isFull() {
    full = full && System.nanoTime() - fullNs < FULL.toNanos();
    return full;
  }

  @Override
  public NodeCapacity capacity() throws EngineException {
    String cluster = context.clusterId();
    List<CloudMachine> present = wait.present(cluster);
    List<CloudMachine> machines = MachineWait.requested(present);
    OptionalInt room = cloud.room(cluster, settings.type());
    int quota =
        room.isPresent()
            ? Math.min(settings.max(), machines.size() + Math.max(0, room.getAsInt()))
            : settings.max();
    Map<String, Double> prices = new TreeMap<>();
    settings
        .types()
        .forEach(
            (profile, type) -> settings.price(type).ifPresent(price -> prices.put(profile, price)));
    boolean refused = isFull();
    long kept = present.stream().filter(CloudMachine::isRetired).count();
    boolean crowded = room.isPresent() && room.getAsInt() <= 0 && kept > 0;
    return new NodeCapacity(
            refused ? 0 : Math.max(0, quota - machines.size()),
            OptionalInt.of(quota),
            settings.price(settings.type()),
            prices,
            boot(machines))
        .with(
            Removable.only(
                marked(present),
                "%s gives back only machines that bear the mark %s of this cluster"
                    .formatted(cloud.title(), Marks.CLUSTER)))
        .with(
            NodeCapacity.Reconfigurable.only(
                marked(present),
                "%s restarts only machines that bear the mark %s of this cluster"
                    .formatted(cloud.title(), Marks.CLUSTER)))
        .with(nodePrices(present))
        .with(NodeCapacity.Places.OWN)
        .because(refused ? refusal() : crowded ? crowd(kept) : "");
  }

  private String refusal() {
    return "%s has refused a machine within the last %d min"
        .formatted(cloud.title(), FULL.toMinutes());
  }

  private String crowd(long kept) {
    return "%s has no room for more, and %d stopped %s kept with the disks of removed nodes"
        .formatted(cloud.title(), kept, kept == 1 ? "machine is" : "machines are");
  }

  /** The nodes of those with the cluster's mark, whoever has set it. */
  private List<NodeId> marked(List<CloudMachine> present) {
    return present.stream()
        .filter(machine -> !machine.isRetired())
        .flatMap(machine -> settings.node(machine).stream())
        .toList();
  }

  /** As far as the settings have the prices of their types. */
  private Map<NodeId, Double> nodePrices(List<CloudMachine> present) {
    Map<NodeId, Double> prices = new TreeMap<>();
    for (CloudMachine machine : present) {
      if (!machine.isRetired()) {
        settings
            .node(machine)
            .ifPresent(
                node -> settings.price(machine.type()).ifPresent(price -> prices.put(node, price)));
      }
    }
    return prices;
  }

  /** As half of the machines have shown; until one has, as the settings say. */
  private Optional<Duration> boot(List<CloudMachine> machines) {
    List<Duration> shown =
        machines.stream().flatMap(machine -> Marks.boot(machine).stream()).sorted().toList();
    return shown.isEmpty()
        ? Optional.ofNullable(settings.boot())
        : Optional.of(shown.get(shown.size() / 2));
  }

  @Override
  public List<Machine> machines() throws EngineException {
    Set<NodeId> alive = context.alive().keySet();
    String cluster = context.clusterId();
    List<CloudMachine> present = wait.present(cluster);
    present.stream().filter(CloudMachine::isRetired).forEach(this::tellOfDisks);
    return MachineWait.requested(present).stream()
        .map(machine -> wait.told(machine, cluster, alive))
        .toList();
  }

  /** Once: the list is asked for again and again. */
  private synchronized void tellOfDisks(CloudMachine kept) {
    if (told.add(kept.id())) {
      context.tell(
          "%s: machine %s is kept, stopped, for the data of a removed %s; delete it when not needed"
              .formatted(cloud.title(), kept.id(), context.words().node()));
    }
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    return started(requestId, profile, tokens, Optional.empty(), limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    context.requireDead(dead);
    return started(requestId, profile, List.of(), Optional.of(dead), limit);
  }

  private NodeId started(
      String requestId, Profile profile, List<Long> tokens, Optional<NodeId> dead, Duration limit)
      throws EngineException {
    offer.forget();
    try {
      return new MachineStart(cloud, settings, context, wait)
          .started(requestId, profile, tokens, dead, limit);
    } catch (NoRoomException e) {
      refused();
      throw e;
    }
  }

  /** The machine of a node; one that is kept only for its disks comes last. */
  private Optional<CloudMachine> of(NodeId node) throws EngineException {
    return wait.present(context.clusterId()).stream()
        .filter(machine -> settings.node(machine).equals(Optional.of(node)))
        .min(Comparator.comparing(CloudMachine::isRetired));
  }

  private CloudMachine known(NodeId node) throws EngineException {
    return of(node)
        .filter(machine -> !machine.isRetired())
        .orElseThrow(
            () ->
                new EngineException(
                    "%s: no machine of node %s has the mark %s of this cluster"
                        .formatted(cloud.title(), node, Marks.CLUSTER)));
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    offer.forget();
    Optional<CloudMachine> machine = of(node);
    if (machine.isPresent()) {
      end(machine.get(), pause);
    } else if (context.alive().containsKey(node)) {
      known(node);
    }
  }

  @Override
  public void release(Machine machine, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    offer.forget();
    Optional<CloudMachine> found =
        wait.present(context.clusterId()).stream()
            .filter(m -> m.id().equals(machine.name()))
            .findFirst();
    if (found.isPresent()) {
      end(found.get(), pause);
    }
  }

  /** Marked as given back only when it is stopped: else nobody would stop it after a crash. */
  private void end(CloudMachine machine, Pause pause) throws EngineException {
    if (machine.isRetired() && machine.state() == CloudMachine.State.STOPPED) {
      return;
    }
    String cluster = context.clusterId();
    // One that is kept for its disks, and was started again, stays.
    boolean deletes = settings.end() == End.DELETE && !machine.isRetired();
    boolean never =
        machine.state() == CloudMachine.State.FAILED
            || deletes && machine.state() == CloudMachine.State.STARTING;
    boolean delete = never || deletes;
    if (!never && !(delete && cloud.shutsDown())) {
      if (wait.stopped(machine, cluster, pause).isEmpty()) {
        return;
      }
    }
    if (delete) {
      cloud.delete(machine);
      wait.gone(machine, cluster, pause);
    } else {
      cloud.mark(machine, Marks.retired());
    }
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    CloudMachine machine = known(node);
    Long before = context.alive().get(node);
    if (machine.state() == CloudMachine.State.STOPPED) {
      cloud.start(machine);
    } else {
      cloud.reboot(machine);
    }
    wait.back(machine, node, before, context.clusterId(), pause);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    cloud.mark(known(node), Marks.of(profile));
  }
}
