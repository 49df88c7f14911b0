package io.trimtab.providers.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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

    /** Attempts below have had a machine. */
    private int spent;

    @Override
    public String title() {
      return "toy";
    }

    @Override
    public List<CloudMachine> machines(String cluster) {
      return List.copyOf(machines);
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
      return machine;
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
      throw new UnsupportedOperationException();
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
    cloud.machines.forEach(m -> alive.put(settings.node(m).orElseThrow(), 1L));
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

  @Test
  void butNotForEver() {
    cloud.spent = Integer.MAX_VALUE;
    assertThatThrownBy(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("toy: attempt 9 has ended");
    assertThat(cloud.attempts).hasSize(10);
  }
}
