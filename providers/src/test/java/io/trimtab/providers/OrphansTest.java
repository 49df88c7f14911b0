package io.trimtab.providers;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrphansTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final Duration GRACE = Duration.ofMinutes(30);

  private static Machine machine(String node, String request, Instant since) {
    return new Machine(
        "i-" + request,
        Optional.of(new NodeId(node)),
        "c",
        request,
        Optional.ofNullable(since),
        Machine.State.RUNNING);
  }

  private static List<String> found(Machine machine, String openPlan) {
    return Orphans.of(List.of(machine), Set.of(new NodeId("member:1")), openPlan, NOW, GRACE)
        .stream()
        .map(Machine::name)
        .toList();
  }

  @Test
  void whatNobodyNeedsIsFoundAndNothingElse() {
    Instant old = NOW.minusSeconds(3600);
    assertThat(found(machine("x:1", "p/new-1", old), "")).containsExactly("i-p/new-1");
    assertThat(found(machine("x:1", "p/new-1", null), "q")).containsExactly("i-p/new-1");
    assertThat(found(machine("member:1", "p/new-1", old), "")).isEmpty();
    assertThat(found(machine("Member.example.com:1", "p/new-1", old), "")).isEmpty();
    assertThat(found(machine("members:1", "p/new-1", old), "")).containsExactly("i-p/new-1");
    assertThat(found(machine("member:2", "p/new-1", old), "")).containsExactly("i-p/new-1");
    assertThat(found(machine("x:1", "p/new-1", old), "p")).isEmpty();
    assertThat(found(machine("x:1", "p2/new-1", old), "p")).containsExactly("i-p2/new-1");
    assertThat(found(machine("x:1", "p/new-1", NOW.minusSeconds(60)), "")).isEmpty();
  }
}
