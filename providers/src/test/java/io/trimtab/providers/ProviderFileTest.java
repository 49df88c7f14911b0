package io.trimtab.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.providers.exec.ExecSettings;
import io.trimtab.providers.manual.ManualSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderFileTest {
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("provider.yaml"), text.replace(';', '\n') + "\n");
  }

  @Test
  void theKindIsTheKeyAndPathsAreOfTheFile() throws IOException {
    ProviderSection section =
        ProviderFile.read(file("provider:;  exec:;    program: bin/nodes;    limit: 5s"));

    assertThat(section.kind()).isEqualTo("exec");
    ExecSettings settings = (ExecSettings) section.settings();
    assertThat(settings.program()).isEqualTo(folder.resolve("bin/nodes").toString());
    assertThat(settings.limit()).isEqualTo(Duration.ofSeconds(5));
    assertThat(ProviderFile.read(file("provider: {manual: {}}")).settings())
        .isEqualTo(new ManualSettings(null, null, null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy: met | :1: policy: unknown key",
        "provider: manual | :1: provider: must have one key, a kind of provider: exec, hosts, kub",
        "provider:;  exce: {} | provider.exce: is no kind of provider; known: exec, hosts, kub",
        "provider:;  manual:;| provider.manual: must be a group of keys; {} if there are none",
        "provider:;  exec:;    limit: 5s | program is missing",
        "provider:;  exec:;    program: p;    limt: 5s | :4: provider.exec.limt: unknown key; did",
        "provider:;  manual: {};  exec: {program: p} | provider: must have one key, and has manual",
        "provider:;  manual:;    spare: -1 | :3: provider.manual.spare: must be from 0 to 10000",
        "provider:;  hosts:;    hosts: [a];    nodePort: 1 | knownHosts is missing",
      })
  void badInputNamesLineAndKey(String text, String says) throws IOException {
    Path file = file(text.strip());
    assertThatThrownBy(() -> ProviderFile.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(says.strip())
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }
}
