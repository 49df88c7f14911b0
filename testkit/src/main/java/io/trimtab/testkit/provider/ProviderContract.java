package io.trimtab.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every node provider must do; each test begins with no machine that was requested. */
public abstract class ProviderContract {
  protected static final Duration LIMIT = Duration.ofMinutes(2);

  /** A provider as another controller would make it: it remembers nothing in its own memory. */
  protected abstract NodeProvider provider() throws EngineException;

  /** Nodes whose process runs. */
  protected abstract Set<NodeId> running();

  /** Differs after each start of the node's process. */
  protected abstract long process(NodeId node);

  /** The profile that the node's process was started with; empty if the provider has no say. */
  protected abstract Optional<Profile> profile(NodeId node);

  /** The node's process dies. */
  protected abstract void kill(NodeId node);

  /**
   * Asks for a node and dies before the answer is heard, at the worst moment that a test can make:
   * a process that is killed once its request has come to who is to answer it.
   */
  protected abstract void askAndDie(String requestId) throws EngineException;

  /** Whether a dead node can be replaced. */
  protected boolean replaces() {
    return true;
  }

  /** Whether a profile can be stored for one node. */
  protected boolean persists() {
    return true;
  }

  private NodeId add(String requestId) throws EngineException {
    return provider().add(requestId, Profile.READ, List.of(), LIMIT);
  }

  private List<Machine> of(String requestId) throws EngineException {
    return provider().machines().stream().filter(m -> m.requestId().equals(requestId)).toList();
  }

  @Test
  void aNodeRunsAndItsMachineIsMarkedWithItsRequest() throws EngineException {
    int spare = provider().spare();
    NodeId node = add("plan/new-1");

    assertThat(running()).contains(node);
    assertThat(of("plan/new-1")).singleElement().extracting(Machine::node).isEqualTo(one(node));
    assertThat(provider().capacity().spare()).isEqualTo(spare - 1);
  }

  private static Optional<NodeId> one(NodeId node) {
    return Optional.of(node);
  }

  @Test
  void theSameRequestIsTheSameNodeAndAnotherIsAnother() throws EngineException {
    NodeId node = add("plan/new-1");

    assertThat(add("plan/new-1")).isEqualTo(node);
    assertThat(add("plan/new-2")).isNotEqualTo(node);
    assertThat(add("plan/new-1")).isEqualTo(node);
    assertThat(provider().machines()).hasSize(2);
  }

  @Test
  void aControllerThatDiesBeforeTheAnswerLeavesNoSecondNode() throws EngineException {
    askAndDie("plan/new-1");
    NodeId node = add("plan/new-1");

    assertThat(running()).contains(node);
    assertThat(of("plan/new-1")).hasSize(1);
    assertThat(provider().machines()).hasSize(1);
  }

  @Test
  void whatNobodyWaitsForAnyMoreIsFoundAndGivenBack() throws EngineException {
    askAndDie("plan/new-1");
    Machine left = of("plan/new-1").get(0);
    provider().release(left, LIMIT);
    provider().release(left, LIMIT);

    assertThat(of("plan/new-1")).isEmpty();
    left.node().ifPresent(node -> assertThat(running()).doesNotContain(node));
  }

  @Test
  void aNodeIsRemovedOnce() throws EngineException {
    NodeId node = add("plan/new-1");
    provider().remove(node, LIMIT);
    provider().remove(node, LIMIT);

    assertThat(running()).doesNotContain(node);
    assertThat(of("plan/new-1")).isEmpty();
  }

  /** Decisions go by it: what it allows is given back, and what it does not allow is not. */
  @Test
  void whichNodesCanBeGivenBackIsToldAndThatIsSo() throws EngineException {
    NodeId first = add("plan/new-1");
    NodeId second = add("plan/new-2");
    Removable told = provider().capacity().removable();

    assertThat(provider().offer().removable()).isEqualTo(told);
    assertThat(told.allows(new NodeId("stranger.example:1"), Set.of(), false))
        .isEqualTo(told.all());
    assertThat(told.allows(second, Set.of(), false)).isTrue();
    if (!told.allows(first, Set.of(), false)) {
      assertThatThrownBy(() -> provider().remove(first, LIMIT)).isInstanceOf(EngineException.class);
      assertThat(running()).contains(first, second);
    }
    assertThat(told.allows(first, Set.of(second), false)).isTrue();
    provider().remove(second, LIMIT);
    provider().remove(first, LIMIT);
    assertThat(running()).doesNotContain(first, second);
  }

  @Test
  void aRestartIsAnotherProcessOfTheSameNode() throws EngineException {
    NodeId node = add("plan/new-1");
    long before = process(node);
    provider().restart(node, LIMIT);

    assertThat(running()).contains(node);
    assertThat(process(node)).isNotEqualTo(before);
  }

  @Test
  void aProfileIsThatOfTheNextStart() throws EngineException {
    NodeId node = add("plan/new-1");
    profile(node).ifPresent(now -> assertThat(now).isEqualTo(Profile.READ));
    long before = process(node);
    if (!persists()) {
      assertThatThrownBy(() -> provider().persist(node, Profile.WRITE))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining(node.name());
      assertThat(process(node)).isEqualTo(before);
      return;
    }
    provider().persist(node, Profile.WRITE);

    assertThat(process(node)).isEqualTo(before);
    NodeProvider same = provider();
    same.persist(node, Profile.WRITE);
    same.restart(node, LIMIT);
    profile(node).ifPresent(now -> assertThat(now).isEqualTo(Profile.WRITE));
  }

  /** Whoever has started it: nothing of it is stored or restarted, and that is told beforehand. */
  @Test
  void aNodeThatIsNotItsOwnIsToldAndLeftAlone() throws EngineException {
    NodeId own = add("plan/new-1");
    NodeId stranger = new NodeId("stranger.example:1");
    NodeCapacity.Reconfigurable told = provider().capacity().reconfigurable();

    assertThat(provider().offer().reconfigurable()).isEqualTo(told);
    assertThat(told.allows(own)).isEqualTo(persists());
    assertThat(told.allows(stranger)).isEqualTo(told.all());
    if (told.all()) {
      return;
    }
    long before = process(own);
    refuses(() -> provider().persist(stranger, Profile.WRITE), stranger);
    refuses(() -> provider().restart(stranger, LIMIT), stranger);
    assertThat(running()).contains(own).doesNotContain(stranger);
    assertThat(process(own)).isEqualTo(before);
  }

  private static void refuses(ThrowingCallable call, NodeId node) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(node.name())
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  @Test
  void aDeadNodeIsReplacedAndALiveOneIsNot() throws EngineException {
    if (!replaces()) {
      return;
    }
    NodeId dead = add("plan/new-1");
    assertThatThrownBy(() -> provider().replace("other/new-1", dead, Profile.READ, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(dead.name());
    kill(dead);

    NodeId node = provider().replace("other/new-1", dead, Profile.READ, LIMIT);
    assertThat(provider().replace("other/new-1", dead, Profile.READ, LIMIT)).isEqualTo(node);
    assertThat(node).isNotEqualTo(dead);
    assertThat(running()).contains(node).doesNotContain(dead);

    provider().remove(dead, LIMIT);
    assertThat(provider().machines()).extracting(Machine::node).containsExactly(one(node));
  }
}
