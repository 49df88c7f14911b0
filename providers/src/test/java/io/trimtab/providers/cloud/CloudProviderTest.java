package io.trimtab.providers.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.Orphans;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the provider does with a cloud whose tokens outlive its machines. */
class CloudProviderTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Forgetful cloud = new Forgetful();

  /** Which lists a machine no more when it has ended, and still knows its token. */
  private static final class Forgetful implements Cloud {
    private final List<CloudMachine> machines = new ArrayList<>();
    private final List<Integer> attempts = new ArrayList<>();

    /** What the next machine has been marked with. */
    private final Map<String, String> more = new TreeMap<>();

    private final List<String> deleted = new ArrayList<>();

    /** Attempts below have had a machine. */
    private int spent;

    /** The machine of a request that was given up comes beside that of the next one. */
    private boolean late;

    /** Whether it tells where machines are. */
    private boolean tells = true;

    @Override
    public String title() {
      return "toy";
    }

    @Override
    public List<CloudMachine> machines(String cluster) {
      return machines.stream().map(m -> tells ? m : at(m, "")).toList();
    }

    @Override
    public CloudMachine create(Order order) throws EngineException {
      attempts.add(order.attempt());
      if (order.attempt() < spent) {
        throw new TokenSpentException("toy: attempt " + order.attempt() + " has ended", null);
      }
      Map<String, String> marks = new TreeMap<>(order.marks());
      marks.putAll(more);
      CloudMachine machine =
          new CloudMachine(
              "i-" + machines.size() + "-" + order.attempt(),
              order.name(),
              "10.0." + machines.size() + "." + (order.attempt() + 1),
              "",
              "",
              marks,
              CloudMachine.State.RUNNING,
              "",
              Optional.empty());
      machines.add(machine);
      if (late) {
        machines.add(
            new CloudMachine(
                "i-late",
                order.name(),
                "10.9.9.9",
                "",
                "",
                marks,
                CloudMachine.State.STARTING,
                "",
                Optional.empty()));
      }
      return machine;
    }

    private static CloudMachine at(CloudMachine m, String ip) {
      return new CloudMachine(
          m.id(), m.name(), ip, "", m.type(), m.marks(), m.state(), m.reason(), m.since());
    }

    @Override
    public void mark(CloudMachine machine, Map<String, String> marks) {}

    @Override
    public void start(CloudMachine machine) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void reboot(CloudMachine machine) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void stop(CloudMachine machine) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(CloudMachine machine) {
      deleted.add(machine.id());
      machines.removeIf(m -> m.id().equals(machine.id()));
    }

    @Override
    public boolean shutsDown() {
      return true;
    }

    @Override
    public boolean foundNoRoom(CloudMachine failed) {
      return false;
    }

    @Override
    public int userDataMaxBytes() {
      return 0;
    }

    @Override
    public OptionalInt room(String cluster, String type) {
      return OptionalInt.empty();
    }
  }

  private NodeProvider provider() {
    MachineSettings settings =
        new MachineSettings(
            null,
            16020,
            "small",
            null,
            null,
            null,
            3,
            null,
            null,
            Duration.ofMillis(100),
            Duration.ZERO);
    ProviderContext context =
        new ProviderContext(
            () -> Snapshots.of(alive(settings)),
            ProviderContext.Words.PLAIN,
            id -> Path.of("unused"),
            line -> {});
    return new CloudProvider(cloud, settings, context);
  }

  private Map<NodeId, Long> alive(MachineSettings settings) {
    Map<NodeId, Long> alive = new TreeMap<>();
    cloud.machines.stream()
        .filter(m -> m.state() == CloudMachine.State.RUNNING)
        .forEach(m -> alive.put(settings.node(m).orElseThrow(), 1L));
    return alive;
  }

  @Test
  void anEndedMachinesTokenIsFollowedByTheNextAttempts() throws EngineException {
    cloud.spent = 3;
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);

    assertThat(node).isEqualTo(new NodeId("10.0.0.4:16020"));
    assertThat(cloud.attempts).containsExactly(0, 1, 2, 3);
    assertThat(provider().machines()).hasSize(1);
  }

  /** One that was late, because its image was copied first, says little of the next one. */
  @Test
  void theTimeOfAMachineIsThatOfMostOfThem() throws EngineException {
    assertThat(provider().capacity().boot()).isEmpty();
    int number = 1;
    for (String seconds : List.of("90", "3600", "100")) {
      cloud.more.put("trimtab-boot", seconds);
      provider().add("p/new-" + number++, Profile.READ, List.of(), LIMIT);
    }
    assertThat(provider().capacity().boot()).contains(Duration.ofSeconds(100));
  }

  /** It would join as a node that nobody has planned, in a ring with tokens of another. */
  @Test
  void aMachineThatARequestHasMadeBesideItsOwnIsDeleted() throws EngineException {
    cloud.late = true;
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);

    assertThat(node).isEqualTo(new NodeId("10.0.0.1:16020"));
    assertThat(cloud.deleted).containsExactly("i-late");
    assertThat(provider().machines()).extracting(Machine::name).containsExactly("i-0-0");
  }

  /** A cloud may not tell for a while where a machine is. */
  @Test
  void aMachineThatRunsAndWhoseNodeIsNotToldIsNoOrphan() throws EngineException {
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    cloud.tells = false;
    List<Machine> machines = provider().machines();
    assertThat(machines).extracting(Machine::node).containsExactly(Optional.empty());
    assertThat(Orphans.of(machines, Set.of(), "", Instant.now(), Duration.ZERO)).isEmpty();
    assertThat(Orphans.unknown(machines, Instant.now(), Duration.ZERO)).hasSize(1);
    provider().withdraw("p/new-1", Set.of(), LIMIT);
    assertThat(cloud.machines).hasSize(1);
  }

  @Test
  void butNotForEver() {
    cloud.spent = Integer.MAX_VALUE;
    assertThatThrownBy(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("toy: attempt 9 has ended");
    assertThat(cloud.attempts).hasSize(10);
  }
}
