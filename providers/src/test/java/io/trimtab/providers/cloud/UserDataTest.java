package io.trimtab.providers.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserDataTest {
  @TempDir private Path folder;

  private String made(String template, String cluster, int maxBytes)
      throws IOException, EngineException {
    Path file = Files.writeString(folder.resolve("user-data.sh"), template);
    return new UserData(file, maxBytes)
        .of(
            cluster,
            "p/new-1",
            Profile.READ,
            List.of(-5L, 7L),
            Optional.of(new NodeId("[fd00::1]:9042")));
  }

  @Test
  void valuesTakeThePlaceOfTheirNamesAndOthersStay() throws Exception {
    assertThat(made("${CLUSTER} ${REQUEST} ${TOKENS} ${DEAD} ${HOME}", "c-1_a", 1000))
        .isEqualTo("c-1_a p/new-1 -5,7 [fd00::1]:9042 ${HOME}");
  }

  /** A template is a script of root's. */
  @Test
  void whatAShellMayTakeForMoreThanAWordIsRefusedWhereItIsUsed() throws Exception {
    for (String cluster : List.of("a b", "$(reboot)", "a;b", "a'b", "a\nb", "`x`")) {
      assertThat(made("${PROFILE}", cluster, 1000)).isEqualTo("READ");
      assertThatThrownBy(() -> made("cluster=${CLUSTER}", cluster, 1000))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("user-data.sh: ${CLUSTER} can't be '")
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
  }

  @Test
  void whatACloudDoesNotTakeIsRefusedBeforeItIsAsked() throws Exception {
    assertThat(made("x".repeat(16), "c", 16)).hasSize(16);
    assertThatThrownBy(() -> made("ä".repeat(9), "c", 16))
        .isInstanceOf(EngineException.class)
        .hasMessageEndingWith("user-data.sh: is 18 bytes long, and the cloud takes 16");
  }
}
