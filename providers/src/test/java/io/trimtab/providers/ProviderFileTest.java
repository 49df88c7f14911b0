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
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "provider: manual | :1: provider: must have one key, a kind of provider: ec2, exec, hos",
        "provider:;  exce: {} | provider.exce: is no kind of provider; known: ec2, exec, hosts",
        "provider:;  manual:;| provider.manual: must be a group of keys; {} if there are none",
        "provider:;  exec:;    limit: 5s | program is missing",
        "provider:;  exec:;    program: p;    limt: 5s | :4: provider.exec.limt: unknown key; did",
        "provider:;  manual: {};  exec: {program: p} | provider: must have one key, and has manual",
        "provider:;  manual:;    spare: -1 | :3: provider.manual.spare: must be from 0 to 10000",
        "provider:;  hosts:;    hosts: [a];    nodePort: 1 | knownHosts is missing",
        "provider:;  ec2:;    region: r;    image: i | machines is missing",
        "provider:;  ec2:;    region: r;    endpoint: eu;    image: i | endpoint: must be http:",
        "provider:;  ec2:;    region: r;    secretKey: pass | secretKey: must be env:NAME",
        "provider:;  ec2:;    region: r;    endpoint: http://u:p@h | endpoint: must have neither @",
        "provider:;  openstack:;    auth: https://k/v3?t=p | auth: must have neither @ nor ?: mess",
        "provider:;  ec2:;    machines: {port: 1, type: t} | ec2.machines: max is missing",
        "provider:;  ec2:;    machines: {port: 1, type: t, max: 1, host: h} | host: must have ${",
        "provider:;  ec2:;    machines: {port: 1, type: t, types: {RED: u}} | types: has 'RED'",
        "provider:;  ec2:;    machines: {port: 1, type: t, prices: {u: 1.5}} | prices: has 'u'",
        "provider:;  ec2:;    machines: {port: 1, type: t, types: {READ: u}, prices: {t: 1.5}}"
            + " | prices: has no 'u'",
        "provider:;  ec2:;    region: r;    image: i;    tags: {Name: n};    machines:"
            + " {port: 1, type: t, max: 1, host: \"${NAME}\"} | tags: must not have Name",
        "provider:;  ec2:;    region: r;    image: i;    tags: {kubernetes.io/role: n}"
            + " | :5: provider.ec2.tags: must not have 'kubernetes.io/role': EC2 refuses it",
        "provider:;  ec2:;    region: r;    image: i;    tags: {cost centre: n}"
            + " | must not have 'cost centre'",
        "provider:;  ec2:;    region: r;    image: i;    tags: {_index: n} | not have '_index'",
        "provider:;  ec2:;    region: r;    image: i;    tags: {trimtab-a: n} | not begin with tri",
        "provider:;  ec2:;    machines: {port: 1, type: t, end: gone} | one of stop, delete",
        "provider:;  openstack:;    auth: http://k/v3 | login is missing",
        "provider:;  openstack:;    login: {user: u, project: p} | login: secret is missing",
        "provider:;  openstack:;    login: {credential: c, user: u} | login.credential: has its",
      })
  void badInputNamesLineAndKey(String text, String says) throws IOException {
    Path file = file(text.strip());
    assertThatThrownBy(() -> ProviderFile.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(says.strip())
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  /** Somebody will write it there: neither the line nor the stack trace in the log repeats it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ec2:;    region: r;    endpoint: 'http://u:hunter2@h'",
        "ec2:;    region: r;    endpoint: 'u:hunter2@h'",
        "ec2:;    region: r;    accessKey: env:A;    secretKey: hunter2",
        "ec2:;    region: r;    secretKey: hunter2: x",
        "openstack:;    auth: 'http://u:hunter2@h/v3'",
        "openstack:;    auth: http://h/v3;    login: {user: u, project: p, secret: hunter2}",
        "kubernetes:;    server: 'https://u:hunter2@h';    token: env:T",
        "kubernetes:;    server: 'https://h?t=hunter2';    token: env:T",
        "kubernetes:;    server: https://h;    token: hunter2",
      })
  void aSecretThatIsWrittenInTheFileIsRefusedAndNotRepeated(String text) throws IOException {
    Path file = file("provider:;  " + text);
    assertThatThrownBy(() -> ProviderFile.read(file))
        .isInstanceOf(UserError.class)
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("hunter2"));
  }
}
