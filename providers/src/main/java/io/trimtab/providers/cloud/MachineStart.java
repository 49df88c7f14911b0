package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.Pause;
import io.trimtab.providers.ProviderContext;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts one machine of a cloud for a request, or goes on with the one that was started for it. */
record MachineStart(
    Cloud cloud, MachineSettings settings, ProviderContext context, MachineWait waits) {
  private static final Logger LOG = LoggerFactory.getLogger(MachineStart.class);

  /** Machines of a request that have ended and are listed no more, whose tokens may be spent. */
  private static final int ATTEMPTS = 10;

  /**
   * The node of the request's machine, once it is in the cluster.
   *
   * @throws NoRoomException if the cloud has none for another machine now
   */
  NodeId started(
      String requestId, Profile profile, List<Long> tokens, Optional<NodeId> dead, Duration limit)
      throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    String cluster = context.clusterId();
    Optional<CloudMachine> begun =
        of(requestId, cluster).stream()
            .min(Comparator.comparing((CloudMachine m) -> m.since().orElse(Instant.MAX)));
    if (begun.filter(m -> m.state() == CloudMachine.State.FAILED).isPresent()) {
      delete(begun.get(), cluster, pause);
      begun = Optional.empty();
    }
    CloudMachine machine =
        begun.isPresent() ? begun.get() : created(cluster, requestId, profile, tokens, dead);
    NodeId node = joined(machine, cluster, pause);
    if (begun.isEmpty()) {
      noteBoot(machine, limit.minus(pause.left()));
    }
    endOthers(requestId, machine, cluster, pause);
    return node;
  }

  private List<CloudMachine> of(String requestId, String cluster) throws EngineException {
    return MachineWait.requested(waits.present(cluster)).stream()
        .filter(machine -> machine.request().equals(requestId))
        .toList();
  }

  /**
   * A creation that was given up may have taken effect after the look for it: its machine would
   * join as a node that nobody has planned. A node that has joined is not lost because this fails.
   */
  private void endOthers(String requestId, CloudMachine kept, String cluster, Pause pause) {
    try {
      Set<NodeId> alive = context.alive().keySet();
      for (CloudMachine other : of(requestId, cluster)) {
        if (other.id().equals(kept.id())) {
          continue;
        }
        if (waits.told(other, cluster, alive).isNoneOf(alive)) {
          LOG.warn("request {} has made machine {} as well; it is deleted", requestId, other.id());
          cloud.delete(other);
          waits.gone(other, cluster, pause);
        } else {
          context.tell(
              "request %s has started a second machine, %s, which may have joined: check it"
                  .formatted(requestId, other.id()));
        }
      }
    } catch (EngineException e) {
      LOG.warn("whether request {} has made another machine is not known", requestId, e);
    }
  }

  /** As long as it is listed, it would be taken for the request's first machine. */
  private void delete(CloudMachine failed, String cluster, Pause pause) throws EngineException {
    try {
      cloud.delete(failed);
      waits.gone(failed, cluster, pause);
    } catch (UnusableAnswerException e) {
      throw noFirst(e, failed);
    }
  }

  private NodeId joined(CloudMachine machine, String cluster, Pause pause) throws EngineException {
    try {
      if (machine.state() == CloudMachine.State.STOPPED) {
        cloud.start(machine);
      }
      return waits.joined(machine, cluster, pause);
    } catch (UnusableAnswerException e) {
      throw noFirst(e, machine);
    }
  }

  /** Nonsense is no first answer once there is a machine: somebody has to look for it. */
  private static EngineException noFirst(UnusableAnswerException e, CloudMachine machine) {
    return new EngineException(
        "%s; machine %s was asked for before".formatted(e.getMessage(), machine.id()), e);
  }

  /** What the next one will take; a node that has joined is not lost because this fails. */
  private void noteBoot(CloudMachine machine, Duration took) {
    try {
      cloud.mark(machine, Marks.boot(took));
    } catch (EngineException e) {
      LOG.info("how long machine {} took to boot is not noted", machine.id(), e);
    }
  }

  private CloudMachine created(
      String cluster, String requestId, Profile profile, List<Long> tokens, Optional<NodeId> dead)
      throws EngineException {
    List<CloudMachine> all = cloud.machines(cluster);
    List<CloudMachine> present = MachineWait.present(all);
    long running =
        MachineWait.requested(present).stream()
            .filter(m -> m.state() != CloudMachine.State.FAILED)
            .count();
    if (running >= settings.max()) {
      throw new EngineException(
          "request %s: %d machines run by request, and no more than machines.max may"
              .formatted(requestId, settings.max()));
    }
    String userData =
        settings.userData() == null
            ? ""
            : new UserData(Path.of(settings.userData()), cloud.userDataMaxBytes())
                .of(cluster, requestId, profile, tokens, dead);
    CloudMachine machine =
        created(
            new Order(
                cluster,
                requestId,
                (int) all.stream().filter(m -> m.request().equals(requestId)).count(),
                settings.type(profile),
                Marks.of(cluster, requestId, profile, dead),
                userData));
    LOG.info("{}: machine {} was asked for, request {}", cloud.title(), machine.id(), requestId);
    return machine;
  }

  private CloudMachine created(Order first) throws EngineException {
    Order order = first;
    while (true) {
      try {
        return cloud.create(order);
      } catch (TokenSpentException e) {
        order = order.next();
        if (order.attempt() - first.attempt() >= ATTEMPTS) {
          throw e;
        }
        LOG.info("{}: attempt {} follows", e.getMessage(), order.attempt());
      }
    }
  }
}
