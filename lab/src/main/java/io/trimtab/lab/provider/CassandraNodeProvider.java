package io.trimtab.lab.provider;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabState;
import java.time.Duration;
import java.util.List;

/** Nodes are processes of a Cassandra lab on this machine. */
public final class CassandraNodeProvider extends LabNodeProvider {
  private final CassandraLab lab;

  public CassandraNodeProvider(CassandraLab lab) {
    super(lab);
    this.lab = lab;
  }

  @Override
  void start(NodeId id, Duration limit) {
    lab.begin(id, limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    return added(
        requestId,
        limit,
        index -> {
          LabState.Node node = Lab.find(lab.state(), dead);
          if (lab.control().processes().alive(node.cassandra())) {
            throw new UserError("node " + dead + " is still running and can't be replaced");
          }
          return new LabState.Node(index, profile, requestId, node.index(), List.of());
        });
  }

  /** Its data are kept until the lab is taken down: the ring may turn out to lack some of them. */
  @Override
  public void remove(NodeId id, Duration limit) throws EngineException {
    engine(
        () -> {
          LabState state = lab.state();
          if (state.nodes().stream().noneMatch(n -> Lab.id(state, n).equals(id))) {
            return id;
          }
          LabState.Node node = Lab.find(state, id);
          lab.control().liftCpu(state, node);
          lab.control().processes().stop(node.cassandra(), STOP_LIMIT);
          lab.control().removeGroup(state, node);
          retire(node.cassandra());
          lab.change(s -> s.without(node.index()));
          return id;
        });
  }

  @Override
  public void restart(NodeId id, Duration limit) throws EngineException {
    engine(
        () -> {
          LabState.Node node = Lab.find(lab.state(), id);
          lab.control().liftCpu(lab.state(), node);
          lab.control().processes().stop(node.cassandra(), STOP_LIMIT);
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

  /** Its files are written anew whenever it starts. */
  private void save(NodeId id, Profile profile) {
    lab.change(s -> s.withNode(Lab.find(s, id).with(profile)));
  }
}
