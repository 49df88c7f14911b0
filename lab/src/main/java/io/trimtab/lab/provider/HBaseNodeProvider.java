package io.trimtab.lab.provider;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.process.Processes;
import io.trimtab.lab.setup.SiteFiles;
import java.time.Duration;

/** Nodes are pairs of processes of a lab on this machine; RegionServers alone in a place. */
public final class HBaseNodeProvider extends LabNodeProvider {
  private final HBaseLab lab;

  public HBaseNodeProvider(HBaseLab lab) {
    super(lab);
    this.lab = lab;
  }

  @Override
  void start(NodeId id, Duration limit) {
    lab.startNode(id, limit);
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
          if (!lab.storesApart()) {
            decommission.check(node);
          }
          long end = System.nanoTime() + limit.toNanos();
          Processes processes = lab.control().processes();
          lab.control().liftCpu(state, node);
          processes.stop(node.regionServer(), STOP_LIMIT);
          if (processes.alive(node.dataNode())) {
            decommission.run(node, Duration.ofNanos(end - System.nanoTime()));
          }
          processes.stop(node.dataNode(), STOP_LIMIT);
          lab.control().removeGroup(state, node);
          lab.control().removeMemory(state, node);
          retire(node.dataNode());
          lab.change(s -> s.without(node.index()));
          return id;
        });
  }

  @Override
  public void restart(NodeId id, Duration limit) throws EngineException {
    engine(
        () -> {
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

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    throw new EngineException(
        "HBase reassigns the regions of dead node " + dead + " by itself: it needs no replacement");
  }

  private void save(NodeId id, Profile profile) {
    LabState state = lab.change(s -> s.withNode(HBaseLab.find(s, id).with(profile)));
    new SiteFiles(lab.dir(), state).writeRegionServer(HBaseLab.find(state, id));
  }
}
