package io.trimtab.lab.cluster;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Nodes are pairs of processes of a lab on this machine. */
public final class LocalNodeProvider implements NodeProvider {
  /** A RegionServer that was drained has little to do before it ends. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private final HBaseLab lab;

  LocalNodeProvider(HBaseLab lab) {
    this.lab = lab;
  }

  @Override
  public int spare() {
    LabState state = lab.state();
    LabConfig config = state.config();
    return Math.max(0, config.nodes() + config.spareNodes() - state.nodes().size());
  }

  @Override
  public NodeId add(String token, Profile profile, Duration limit) throws EngineException {
    Optional<LabState.Node> begun =
        lab.state().nodes().stream().filter(n -> n.token().equals(token)).findFirst();
    if (begun.isPresent()) {
      return start(begun.get(), limit);
    }
    if (spare() == 0) {
      throw new EngineException(
          "lab " + lab.config().name() + " has no spare node left (spareNodes)");
    }
    LabState state =
        lab.change(s -> s.withNode(new LabState.Node(s.lastIndex() + 1, profile, token)));
    return start(state.node(state.lastIndex()).orElseThrow(), limit);
  }

  private NodeId start(LabState.Node node, Duration limit) throws EngineException {
    return engine(
        () -> {
          NodeId id = HBaseLab.id(lab.state(), node);
          lab.startNode(id, limit);
          return id;
        });
  }

  @Override
  public void remove(NodeId id, Duration limit) throws EngineException {
    engine(
        () -> {
          LabState state = lab.state();
          if (state.nodes().stream().noneMatch(n -> HBaseLab.id(state, n).equals(id))) {
            return id;
          }
          LabState.Node node = HBaseLab.find(state, id);
          Decommission decommission = new Decommission(lab.dir(), state);
          decommission.check(node);
          long end = System.nanoTime() + limit.toNanos();
          Processes processes = lab.control().processes();
          lab.control().liftCpu(state, node);
          processes.stop(node.regionServer(), STOP_LIMIT);
          if (processes.alive(node.dataNode())) {
            decommission.run(node, Duration.ofNanos(end - System.nanoTime()));
          }
          processes.stop(node.dataNode(), STOP_LIMIT);
          lab.control().removeGroup(state, node);
          lab.change(s -> s.without(node.index()));
          return id;
        });
  }

  @Override
  public void restart(NodeId id, Profile profile, Duration limit) throws EngineException {
    engine(
        () -> {
          save(id, profile);
          LabState state = lab.state();
          LabState.Node node = HBaseLab.find(state, id);
          lab.control().liftCpu(state, node);
          lab.control().processes().stop(node.regionServer(), STOP_LIMIT);
          lab.startNode(id, limit);
          return id;
        });
  }

  @Override
  public void persist(NodeId id, Profile profile) throws EngineException {
    engine(
        () -> {
          save(id, profile);
          return id;
        });
  }

  private void save(NodeId id, Profile profile) {
    LabState state =
        lab.change(
            s -> {
              LabState.Node node = HBaseLab.find(s, id);
              return s.withNode(new LabState.Node(node.index(), profile, node.token()));
            });
    new SiteFiles(lab.dir(), state).writeRegionServer(HBaseLab.find(state, id));
  }

  @FunctionalInterface
  private interface Work {
    NodeId run();
  }

  private static NodeId engine(Work work) throws EngineException {
    try {
      return work.run();
    } catch (LabStartException e) {
      List<String> tail = e.logTail();
      String last = tail.isEmpty() ? "" : ": " + tail.get(tail.size() - 1);
      throw new EngineException(e.getMessage() + last, e);
    } catch (UserError e) {
      throw new EngineException(e.getMessage(), e);
    }
  }
}
