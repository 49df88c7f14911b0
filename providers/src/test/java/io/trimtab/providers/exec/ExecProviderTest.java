package io.trimtab.providers.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that answers nonsense is told in one line, and nothing goes on with it. */
class ExecProviderTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private NodeProvider answering(String script) throws IOException {
    Path program = folder.resolve("nodes.sh");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    program.toFile().setExecutable(true);
    return new ExecSettings(program.toString(), null, null, Duration.ZERO)
        .provider(
            new ProviderContext(
                () -> Snapshots.of(Map.of()),
                ProviderContext.Words.PLAIN,
                id -> folder,
                line -> {}));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo | its answer is empty",
        "echo done | its answer is not JSON: done",
        "echo '[]' | its answer is no JSON object: []",
        "echo '{\"request\":\"p/1\"} {\"request\":\"p/1\"}' | has answered twice",
        "echo '{\"node\":\"n1:1\"}' | its answer names no request; asked was p/1",
        "echo '{\"request\":\"p/2\",\"node\":\"n1:1\"}' | it answers request p/2; asked was p/1",
        "echo '{\"request\":\"p/1\"}' | its answer names no node",
        "echo '{\"request\":\"p/1\",\"node\":\"n1\"}' | is no node; one is given as host:port",
        "echo no quota >&2; exit 3 | no machine is left: no quota",
        "echo a >&2; echo b >&2; exit 1 | failed with exit code 1: a / b",
      })
  void whatASaneProgramWouldNotAnswerIsToldInOneLine(String script, String says)
      throws IOException {
    NodeProvider provider = answering(script);
    assertThatThrownBy(() -> provider.add("p/1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("provider program nodes.sh add: ")
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  /** One that forgets what it has started would start it again. */
  @Test
  void itsListMustHaveTheNodeThatItAnswers() throws IOException {
    NodeProvider forgets =
        answering(
            "case $1 in add) echo '{\"request\":\"p/1\",\"node\":\"n1:1\"}';;"
                + " *) echo '{\"machines\":[{\"name\":\"i\",\"node\":\"n1:1\","
                + "\"request\":\"o/1\"}]}';;"
                + " esac");
    assertThatThrownBy(() -> forgets.add("p/1", Profile.READ, List.of(), LIMIT))
        .hasMessageContaining("it answers node n1:1 for request p/1")
        .hasMessageContaining("its list has n1:1 for request o/1");
  }

  /** Where nothing was done, a plan is refused for nonsense; what is no nonsense makes it fail. */
  @Test
  void nonsenseIsToldFromAFailure() throws IOException {
    NodeProvider babbles = answering("echo done");
    assertThatThrownBy(() -> babbles.add("p/1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(UnusableAnswerException.class);
    NodeProvider fails = answering("echo done; exit 1");
    assertThatThrownBy(() -> fails.add("p/1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(UnusableAnswerException.class);
    NodeProvider starts =
        answering(
            "case $1 in add) echo '{\"request\":\"p/1\",\"node\":\"n1:1\"}';; *) echo done;; esac");
    assertThatThrownBy(() -> starts.add("p/1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(UnusableAnswerException.class)
        .hasMessageContaining("add: it answers node n1:1 for request p/1")
        .hasMessageContaining("nodes.sh list: its answer is not JSON: done");
  }

  /** Everybody sees the list of processes. */
  @Test
  void nothingOfARequestIsInTheProcessList() throws IOException {
    NodeProvider looks =
        answering("cd \"${0%/*}\"; tr '\\0' ' ' </proc/$$/cmdline >line; cat >read; exit 1");
    assertThatThrownBy(() -> looks.add("p/s3cr3t", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("provider program nodes.sh add: failed with exit code 1");
    assertThat(Files.readString(folder.resolve("read"))).contains("p/s3cr3t");
    assertThat(Files.readString(folder.resolve("line")))
        .contains("nodes.sh add")
        .doesNotContain("s3cr3t");
  }

  @Test
  void aProgramThatHangsIsEnded() throws IOException {
    NodeProvider hangs = answering("echo at work >&2; exec sleep 1000");
    assertThatThrownBy(() -> hangs.add("p/1", Profile.READ, List.of(), Duration.ofSeconds(2)))
        .hasMessageContaining("no answer within 2 s: at work");
  }

  @Test
  void aCapacityThatIsNotToldIsNone() throws Exception {
    assertThat(answering("exit 1").spare()).isZero();
    assertThat(answering("exit 1").offer().hindrance())
        .hasValue("no node can be added: the provider's program does not tell its capacity");
    assertThat(answering("echo lots").offer().hindrance())
        .hasValue(
            "no node can be added: provider program nodes.sh capacity: its answer is not JSON:"
                + " lots");
    NodeProvider tells = answering("echo '{\"spare\":2,\"price\":0.5,\"bootSeconds\":90}'");
    assertThat(tells.spare()).isEqualTo(2);
    assertThat(tells.offer().removable().all()).isTrue();
    assertThat(tells.capacity().hourlyPrice()).hasValue(0.5);
    assertThat(tells.capacity().boot()).contains(Duration.ofSeconds(90));
    assertThatThrownBy(() -> answering("echo '{\"spare\":-1}'").capacity())
        .hasMessageContaining("spare must be ≥ 0, not -1");
  }

  @Test
  void aProgramMaySayWhichNodesItGivesBack() throws Exception {
    NodeId one = new NodeId("n1:1");
    NodeId other = new NodeId("n2:1");
    Removable some =
        answering("echo '{\"spare\":0,\"removable\":[\"n1:1\"]}'").capacity().removable();
    assertThat(some.allows(one, Set.of(), true)).isTrue();
    assertThat(some.allows(other, Set.of(), false)).isFalse();
    assertThat(answering("exit 1").offer().removable().allows(one, Set.of(), false)).isFalse();
    assertThatThrownBy(() -> answering("echo '{\"spare\":0,\"removable\":1}'").capacity())
        .hasMessageContaining("removable must be a list of nodes, not 1");
    assertThatThrownBy(() -> answering("echo '{\"spare\":0,\"removable\":[1]}'").capacity())
        .hasMessageContaining("'1' is no node");
  }

  @Test
  void aProgramMaySayWhichNodesItRestarts() throws Exception {
    NodeId one = new NodeId("n1:1");
    NodeCapacity.Reconfigurable some =
        answering("echo '{\"spare\":0,\"reconfigurable\":[\"n1:1\"]}'").capacity().reconfigurable();
    assertThat(some.allows(one)).isTrue();
    assertThat(some.allows(new NodeId("n2:1"))).isFalse();
    assertThat(answering("echo '{\"spare\":0}'").capacity().reconfigurable().all()).isTrue();
    assertThat(answering("exit 1").offer().reconfigurable().allows(one)).isFalse();
    assertThatThrownBy(() -> answering("echo '{\"spare\":0,\"reconfigurable\":{}}'").capacity())
        .hasMessageContaining("reconfigurable must be a list of nodes, not {}");
  }

  /** An empty list says something, too: that nodes get machines of their own. */
  @Test
  void aProgramMaySayWhereItsNextNodesWillBe() throws Exception {
    NodeCapacity.Places places =
        answering("echo '{\"spare\":2,\"next\":[\"n4:1\"]}'").capacity().places();
    assertThat(places.node(0)).contains(new NodeId("n4:1"));
    assertThat(places.node(1)).isEmpty();
    assertThat(answering("echo '{\"spare\":2,\"next\":[]}'").capacity().places())
        .isEqualTo(NodeCapacity.Places.OWN);
    assertThat(answering("echo '{\"spare\":2}'").capacity().places())
        .isEqualTo(NodeCapacity.Places.UNTOLD);
  }

  @Test
  void aProgramThatCanNotBeRunIsToldBeforeAnythingBegins() throws IOException {
    ExecSettings missing = new ExecSettings("gone.sh", null, null, null).in(folder);
    assertThatThrownBy(() -> missing.provider(null))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("gone.sh: no such file");
    Files.writeString(folder.resolve("plain.sh"), "");
    ExecSettings plain = new ExecSettings("plain.sh", null, null, null).in(folder);
    assertThatThrownBy(() -> plain.provider(null)).hasMessageContaining("chmod +x");
  }
}
