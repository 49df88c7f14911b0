package io.trimtab.providers.hosts;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.providers.Pause;
import io.trimtab.providers.ProviderContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of machines that are reached by SSH (Cruz 2016, §3.2.3: "directly" on the database's
 * processes). A host in use has a mark with cluster and request, which only one can set.
 */
final class HostsProvider implements NodeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(HostsProvider.class);
  private static final Duration POLL = Duration.ofMillis(500);

  private final HostsSettings settings;
  private final Ssh ssh;
  private final ProviderContext context;
  private final HostFiles files;

  /** As of the last look; empty if it is not to be used again. */
  private Optional<FreeHosts> free = Optional.empty();

  private long freeNs;

  HostsProvider(HostsSettings settings, Ssh ssh, ProviderContext context) {
    this.settings = settings;
    this.ssh = ssh;
    this.context = context;
    this.files = new HostFiles(ssh);
  }

  @Override
  public int spare() {
    return free().hosts().size();
  }

  private synchronized FreeHosts free() {
    if (free.isEmpty() || System.nanoTime() - freeNs > settings.keep().toNanos()) {
      free = Optional.of(FreeHosts.known(ssh));
      freeNs = System.nanoTime();
    }
    return free.get();
  }

  private synchronized void changed() {
    free = Optional.empty();
  }

  @Override
  public NodeCapacity offer() {
    return capacity(free());
  }

  @Override
  public NodeCapacity capacity() throws EngineException {
    return capacity(FreeHosts.of(ssh));
  }

  private NodeCapacity capacity(FreeHosts now) {
    List<String> hosts = now.hosts();
    List<NodeId> listed = settings.hosts().stream().map(settings::node).toList();
    return new NodeCapacity(
            hosts.size(),
            OptionalInt.of(settings.hosts().size()),
            settings.price() == null ? OptionalDouble.empty() : OptionalDouble.of(settings.price()),
            Optional.ofNullable(settings.boot()))
        .with(Removable.only(listed, "only nodes on provider.hosts.hosts are given back"))
        .with(
            NodeCapacity.Reconfigurable.only(
                listed, "only nodes on provider.hosts.hosts are restarted"))
        .with(NodeCapacity.Places.at(hosts.stream().map(settings::node).toList()))
        .because(now.because());
  }

  @Override
  public List<Machine> machines() throws EngineException {
    String cluster = context.clusterId();
    List<Machine> machines = new ArrayList<>();
    for (HostLook look : HostLook.all(ssh)) {
      look.mark()
          .filter(m -> m.cluster().equals(cluster) && !m.retired() && !m.request().isEmpty())
          .ifPresent(mark -> machines.add(machine(look, mark)));
    }
    return machines;
  }

  private Machine machine(HostLook look, Mark mark) {
    return new Machine(
        look.host(),
        Optional.of(settings.node(look.host())),
        mark.cluster(),
        mark.request(),
        Optional.of(Instant.ofEpochMilli(mark.since())),
        look.running() ? Machine.State.RUNNING : Machine.State.STOPPED);
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    return started(requestId, profile, tokens, "", limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    context.requireDead(dead);
    return started(requestId, profile, List.of(), dead.name(), limit);
  }

  private NodeId started(
      String requestId, Profile profile, List<Long> tokens, String dead, Duration limit)
      throws EngineException {
    Pause pause = new Pause(limit, POLL);
    changed();
    String cluster = context.clusterId();
    List<HostLook> looks = HostLook.all(ssh);
    Optional<HostLook> begun = begun(cluster, requestId, looks);
    Mark mark =
        new Mark(cluster, requestId, System.currentTimeMillis(), profile, tokens, dead, false);
    String host = begun.isPresent() ? begun.get().host() : claimed(looks, mark, dead);
    NodeId node = settings.node(host);
    if (begun.filter(HostLook::running).isEmpty()) {
      Set<NodeId> members = new TreeSet<>(context.alive().keySet());
      members.add(node);
      files.install(host, begun.flatMap(HostLook::mark).orElse(mark), members);
      files.tellPeers(node, members);
      try {
        start(host, mark, pause);
      } catch (UnusableAnswerException e) {
        // It is no first answer any more: somebody has to look for the node.
        throw new EngineException(
            "%s; host %s was asked for its node before".formatted(e.getMessage(), host), e);
      }
    }
    return node;
  }

  /** The host that has the request's mark; of several the noted one, or else one that runs. */
  private Optional<HostLook> begun(String cluster, String requestId, List<HostLook> looks)
      throws EngineException {
    Optional<String> noted = notes().host(requestId);
    if (noted.isPresent() && looks.stream().noneMatch(l -> l.host().equals(noted.get()))) {
      throw new EngineException(
          "host %s of request %s is not reached".formatted(noted.get(), requestId));
    }
    List<HostLook> marked =
        looks.stream()
            .filter(look -> look.mark().filter(m -> m.of(cluster, requestId)).isPresent())
            .toList();
    return marked.stream()
        .filter(look -> noted.filter(look.host()::equals).isPresent())
        .findFirst()
        .or(() -> marked.stream().filter(HostLook::running).findFirst())
        .or(() -> marked.stream().findFirst());
  }

  private HostNotes notes() throws EngineException {
    return new HostNotes(context.folder());
  }

  /** A free host that bears the mark now; never the one of the node whose place is to be taken. */
  private String claimed(List<HostLook> looks, Mark mark, String dead) throws EngineException {
    HostNotes notes = notes();
    for (HostLook look : looks) {
      if (look.free() && !settings.node(look.host()).name().equals(dead)) {
        notes.write(mark.request(), look.host());
        if (claimed(look.host(), mark)) {
          return look.host();
        }
      }
    }
    notes.delete(mark.request());
    throw new EngineException(
        "request %s: no host is free; %d of %d could be looked at"
            .formatted(mark.request(), looks.size(), settings.hosts().size()));
  }

  /** Whether the host bears the mark now. */
  private boolean claimed(String host, Mark mark) throws EngineException {
    String file = Script.quoted(HostLook.markFile(settings));
    String fresh = Script.quoted(HostLook.markFile(settings) + ".new-") + "$$";
    String cleared = Script.quoted(HostLook.clearedFile(settings));
    // A link fails where there is a mark already, so that of two controllers one wins.
    String script =
        new Script()
            .line("mkdir -p " + Script.quoted(settings.folder()) + " || exit 1")
            .line("printf '%s\\n' " + Script.quoted(mark.text()) + " > " + fresh + " || exit 1")
            .line("ln " + fresh + " " + file + " 2>/dev/null && rm -f " + cleared)
            .line("rm -f " + fresh)
            .line("cat " + file)
            .toString();
    try {
      String told = ssh.run(host, "mark", script, settings.limit()).strip();
      if (told.equals(mark.text())) {
        return true;
      }
      Mark other = HostLook.read(host, settings, told);
      LOG.info("host {} was taken by cluster {} meanwhile", host, other.cluster());
    } catch (UnusableAnswerException e) {
      throw e;
    } catch (EngineException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      // It may have the mark, but no node was started: node sweep finds it.
      LOG.warn("passed by: {}", e.getMessage());
    }
    return false;
  }

  private void start(String host, Mark mark, Pause pause) throws EngineException {
    Script script = Script.with(files.variables(host, mark, Set.of()));
    ssh.run(host, "start", script.command(settings.start()).toString(), pause.left());
    awaitService(host, true, pause);
  }

  private void stop(String host, Pause pause) throws EngineException {
    ssh.run(host, "stop", new Script().command(settings.stop()).toString(), pause.left());
    awaitService(host, false, pause);
  }

  private void awaitService(String host, boolean running, Pause pause) throws EngineException {
    while (HostLook.at(host, ssh, settings.limit()).running() != running) {
      if (!pause.more()) {
        throw new EngineException(
            "host %s: its service %s in time"
                .formatted(host, running ? "does not run" : "has not ended"));
      }
      pause.pass("the wait for the service of host " + host);
    }
  }

  private String host(NodeId node) throws EngineException {
    return settings.hosts().stream()
        .filter(host -> settings.node(host).equals(node))
        .findFirst()
        .orElseThrow(
            () -> new EngineException("node " + node + " is on no host of provider.hosts.hosts"));
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    String cluster = context.clusterId();
    if (!takeOut(node, own(cluster), limit) && context.alive().containsKey(node)) {
      throw another(node, cluster);
    }
  }

  /** A node that was there before the provider has no mark, or one without a cluster. */
  private static Predicate<Mark> own(String cluster) {
    return mark -> mark.cluster().isEmpty() || mark.cluster().equals(cluster);
  }

  private static EngineException another(NodeId node, String cluster) {
    return new EngineException(
        "node %s: its host is marked for another cluster than %s".formatted(node, cluster));
  }

  /** A host as it is, on which a node of this cluster may be started with another profile. */
  private HostLook ownHost(NodeId node) throws EngineException {
    HostLook look = HostLook.at(host(node), ssh, settings.limit());
    String cluster = context.clusterId();
    if (look.mark().filter(own(cluster).negate()).isPresent()) {
      throw another(node, cluster);
    }
    return look;
  }

  @Override
  public void release(Machine machine, Duration limit) throws EngineException {
    NodeId node =
        machine
            .node()
            .orElseThrow(() -> new EngineException("host " + machine.name() + " has no node"));
    // Given back before, the host may be another request's by now.
    Predicate<Mark> same =
        mark ->
            machine.cluster().equals(mark.cluster()) && machine.requestId().equals(mark.request());
    boolean unused = takeOut(node, same, limit);
  }

  /**
   * Stops a node for good, and continues where an earlier call was interrupted.
   *
   * @param whose which mark the host may have; with another one nothing is done
   * @return whether it has one of these, or none
   */
  private boolean takeOut(NodeId node, Predicate<Mark> whose, Duration limit)
      throws EngineException {
    Pause pause = new Pause(limit, POLL);
    changed();
    String host = host(node);
    HostLook look;
    try {
      look = HostLook.at(host, ssh, settings.limit());
    } catch (UnusableAnswerException e) {
      throw e;
    } catch (EngineException e) {
      if (Thread.currentThread().isInterrupted() || context.alive().containsKey(node)) {
        throw e;
      }
      // Its machine is dead, or half so: a dead node that was replaced must not hold up the plan.
      LOG.warn("host {} is not looked at", host, e);
      context.tell(
          "host %s does not answer: before it is started again, take its %s out of service"
              .formatted(host, context.words().node()));
      notes().forget(host);
      return true;
    }
    if (look.mark().isPresent() && !whose.test(look.mark().get())) {
      return false;
    }
    if (look.running()) {
      stop(host, pause);
    }
    boolean done =
        look.mark().map(Mark::retired).orElseGet(() -> look.cleared() && !look.running());
    if (!done) {
      retire(host, look.mark().orElseGet(() -> unasked(Profile.HOMOGENEOUS, "")), pause);
    }
    notes().forget(host);
    // Also of a node that was retired before: that call may have been interrupted here.
    Set<NodeId> members = new TreeSet<>(context.alive().keySet());
    members.remove(node);
    files.tellPeers(node, members);
    return true;
  }

  /** Sees to it that no later node finds the data. */
  private void retire(String host, Mark mark, Pause pause) throws EngineException {
    Script script = Script.with(files.variables(host, mark, Set.of()));
    if (settings.retire() != null) {
      files.clear(script.command(settings.retire()));
    } else {
      files.mark(script, mark.asRetired());
    }
    ssh.run(host, "retire", script.toString(), pause.left());
  }

  /** The mark of a node that was there before the provider. */
  private static Mark unasked(Profile profile, String cluster) {
    return new Mark(cluster, "", System.currentTimeMillis(), profile, List.of(), "", false);
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, POLL);
    HostLook look = ownHost(node);
    if (look.running()) {
      stop(look.host(), pause);
    }
    start(look.host(), look.mark().orElseGet(() -> unasked(Profile.HOMOGENEOUS, "")), pause);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    HostLook look = ownHost(node);
    String cluster = context.clusterId();
    Mark mark = look.mark().map(m -> m.with(profile)).orElseGet(() -> unasked(profile, cluster));
    Script script = files.mark(new Script(), mark);
    ssh.run(look.host(), "mark", script.toString(), settings.limit());
    files.install(look.host(), mark, context.alive().keySet());
  }
}
