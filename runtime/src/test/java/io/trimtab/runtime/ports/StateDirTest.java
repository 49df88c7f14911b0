package io.trimtab.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller's folder, and the request to stop that is left in it. */
class StateDirTest {
  private static final String HOME = "trimtab.home";

  @TempDir Path home;
  private String before;

  @BeforeEach
  void set() {
    before = System.getProperty(HOME);
    System.setProperty(HOME, home.toString());
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "..", ".", "", "/etc", "a/../../b", "c\nd", "c\0d"})
  void aClusterIdLeadsNowhereElse(String id) {
    StateDir state = StateDir.of(id);
    state.register();

    Path folder = state.folder();
    assertThat(folder.normalize()).isEqualTo(folder);
    assertThat(folder.getParent()).isEqualTo(home.resolve("clusters"));
    assertThat(folder.getFileName().toString()).matches("[A-Za-z0-9._-]+");
  }

  @Test
  void whoRequestsAStopIsWrittenDown() throws Exception {
    StateDir state = StateDir.of("c");
    state.register();
    assertThat(state.stopAsked()).isFalse();
    assertThat(state.stopAskedBy()).isEmpty();

    state.requestStop(false);
    assertThat(state.stopAsked()).isTrue();
    assertThat(state.undoAsked()).isFalse();
    assertThat(state.stopAskedBy())
        .startsWith("user " + System.getProperty("user.name") + " on host ");
    state.requestStop(true);
    assertThat(state.undoAsked()).isTrue();

    // As versions before wrote it.
    Files.writeString(state.folder().resolve("stop"), "stop and undo");
    assertThat(state.undoAsked()).isTrue();
    assertThat(state.stopAskedBy()).isEmpty();
  }
}
