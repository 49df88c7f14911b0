package io.trimtab.providers.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManualProviderTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final ManualSettings settings = new ManualSettings(2, null, null, Duration.ofMillis(100));
  private final Person person = new Person();
  private NodeId first;

  @TempDir private Path folder;

  @BeforeEach
  void aNodeIsThere() {
    first = person.starts();
  }

  private NodeProvider provider() {
    return settings.provider(person.context(folder));
  }

  private ManualRequests requests() throws EngineException {
    return new ManualRequests(ProviderContext.folder(folder));
  }

  private void inVain(String requestId) {
    person.away = true;
    assertThatThrownBy(() -> provider().add(requestId, Profile.READ, List.of(), SHORT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("nobody has started a node for request " + requestId)
        .hasMessageContaining("guard.actionLimit");
  }

  @Test
  void aPersonIsToldWhatToDoInOneLine() throws EngineException {
    ProviderContext context =
        new ProviderContext(
            () -> Snapshots.of(person.alive),
            new ProviderContext.Words(
                "RegionServer",
                profile -> Map.of("hfile.block.cache.size", "" + profile.cacheFraction())),
            id -> folder,
            line -> {
              person.told.add(line);
              person.starts();
            });
    settings.provider(context).add("p/new-1", Profile.READ, List.of(), LIMIT);

    assertThat(person.told)
        .containsExactly(
            "request p/new-1: start one RegionServer like m1:16020 (heap 8.00 GiB), version 2.6.4,"
                + " with profile READ: hfile.block.cache.size = 0.55; the plan goes on when it has"
                + " joined, or after: trimtab node joined p/new-1 HOST:PORT");
  }

  @Test
  void aPersonCanSayWhichNodeItIs() throws EngineException {
    inVain("p/new-1");
    NodeId other = person.starts();
    NodeId meant = new NodeId("unseen:16020");
    requests().joined("p/new-1", meant.name());

    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(meant);
    assertThat(person.alive).containsKey(other);
  }

  @Test
  void whatCanNotBeTheNodeIsRefused() throws EngineException {
    inVain("p/new-1");
    assertThatThrownBy(() -> requests().joined("p/new-1", first.name()))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("was there before request p/new-1");
    assertThatThrownBy(() -> requests().joined("p/new-1", "node9"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("'node9' is no node");
    assertThatThrownBy(() -> requests().joined("p/new-7", "node9:1"))
        .isInstanceOf(UserError.class)
        .hasMessage("no request p/new-7 is open; open: p/new-1");
  }

  /** Else a person would be asked for two nodes where one is needed. */
  @Test
  void theNextPlanTakesOverWhatAnEarlierOneHasGivenUp() throws EngineException {
    inVain("p/new-1");
    NodeId late = person.starts();

    assertThat(provider().add("q/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(late);
    assertThat(provider().machines()).singleElement().extracting("requestId").isEqualTo("q/new-1");
  }

  @Test
  void requestsAreCountedAndListedUntilTheyAreWithdrawn() throws EngineException {
    assertThat(provider().spare()).isEqualTo(2);
    inVain("p/new-1");
    assertThat(provider().spare()).isOne();
    assertThat(requests().open())
        .singleElement()
        .asString()
        .startsWith("request p/new-1: start one node like m1:16020")
        .endsWith("; its plan has given up");

    provider().release(provider().machines().get(0), LIMIT);
    assertThat(requests().open()).isEmpty();
    assertThat(provider().spare()).isEqualTo(2);
  }

  @Test
  void aRestartThatWasDoneWhileNobodyWaitedIsNotAskedForAgain() throws EngineException {
    person.away = true;
    assertThatThrownBy(() -> provider().restart(first, SHORT))
        .hasMessageContaining("nobody has restarted node " + first);
    person.restarts(first);
    int told = person.told.size();

    provider().restart(first, LIMIT);
    assertThat(person.told).hasSize(told);
    // The next one is another.
    assertThatThrownBy(() -> provider().restart(first, SHORT))
        .hasMessageContaining("nobody has restarted node " + first);
  }

  /** Whoever is asked to restart a node must know what is to be in its configuration. */
  @Test
  void theProfileOfTheNextStartOutlivesTheController() throws EngineException {
    provider().persist(first, Profile.WRITE);
    provider().persist(first, Profile.WRITE);
    assertThat(person.told)
        .containsExactly(
            "write into the configuration of node m1:16020, for its next start: profile WRITE");
    provider().restart(first, LIMIT);
    assertThat(person.told).last().isEqualTo("restart node m1:16020 with profile WRITE");

    provider().persist(first, Profile.READ);
    assertThat(person.told).hasSize(3);
    provider().remove(first, LIMIT);
    person.alive.put(first, 99L);
    provider().restart(first, LIMIT);
    assertThat(person.told).last().as("of another machine").isEqualTo("restart node m1:16020");
  }

  /** What was given up is over: the node may have been restarted for another reason since. */
  @Test
  void aRestartThatWasGivenUpIsAskedForAgain() throws EngineException {
    person.away = true;
    assertThatThrownBy(() -> provider().restart(first, SHORT)).isInstanceOf(EngineException.class);
    person.restarts(first);

    assertThatThrownBy(() -> provider().restart(first, SHORT))
        .hasMessageContaining("nobody has restarted node " + first);
  }

  /** It is known to be there, which is all that matters here. */
  @Test
  void aNodeThatCantBeReadKeepsNobodyWaiting() throws EngineException {
    NodeId frozen = person.starts();
    person.unread.add(frozen);
    NodeId added = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(added).isNotIn(first, frozen);
    provider().remove(first, LIMIT);
    assertThat(person.alive).containsOnlyKeys(frozen, added);

    person.missing = List.of("the master does not answer");
    assertThatThrownBy(() -> provider().add("p/new-2", Profile.READ, List.of(), LIMIT))
        .hasMessage("the snapshot is partial: the master does not answer");
  }

  @Test
  void aNodeThatCantBeReadIsNotTakenForRestarted() throws EngineException {
    NodeProvider waiting =
        settings.provider(
            new ProviderContext(
                person::seen,
                ProviderContext.Words.PLAIN,
                id -> folder,
                line -> {
                  // As an engine has it of a node that does not answer.
                  person.alive.put(first, -1L);
                  person.unread.add(first);
                }));
    assertThatThrownBy(() -> waiting.restart(first, SHORT))
        .hasMessageContaining("nobody has restarted node " + first);
  }

  @Test
  void onlyItsUserMayReadARequest() throws EngineException, IOException {
    inVain("p/new-1");
    Path kept = folder.resolve("provider");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rwx------");
    assertThat(kept.resolve("p%2Fnew-1.request.json"))
        .exists()
        .satisfies(
            file ->
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
  }
}
