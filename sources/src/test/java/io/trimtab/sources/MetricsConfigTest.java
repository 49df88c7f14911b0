package io.trimtab.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.trimtab.config.UserError;
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

class MetricsConfigTest {
  private static final String PROMETHEUS = "{type: prometheus, url: 'http://p:9090'}";

  @Test
  void withoutAnOrderTheDatabaseCountsFirst() {
    MetricsConfig config =
        Configs.metrics(
            "sources: ["
                + PROMETHEUS
                + ", {type: ganglia, name: old, address: gmetad}]\nhistory: 90s\n");
    assertThat(config.order()).containsExactly("native", "prometheus", "old");
    assertThat(config.period()).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.history()).isEqualTo(Duration.ofSeconds(90));
    assertThat(Configs.metrics("{}")).isEqualTo(MetricsConfig.DEFAULTS);
  }

  @Test
  void filesThatItNamesAreOfItsFolder() {
    MetricsConfig config =
        Configs.metrics(
                """
                sources:
                  - {type: prometheus, url: 'http://p', mapping: m.yaml, tokenFile: /etc/t}
                  - {type: jolokia, port: 8000, https: true, userFile: u, trust: ca/c.pem}
                  - {type: ganglia, address: gmetad}
                """)
            .in(Path.of("/conf"));
    assertThat(config.sources())
        .extracting(
            SourceConfig::mapping,
            SourceConfig::tokenFile,
            SourceConfig::userFile,
            SourceConfig::trust)
        .containsExactly(
            tuple("/conf/m.yaml", "/etc/t", null, null),
            tuple(null, null, "/conf/u", "/conf/ca/c.pem"),
            tuple(null, null, null, null));
    assertThat(config.sources().get(1).port()).isEqualTo(8000);
    assertThat(config.sources().get(1).https()).isTrue();
    assertThat(config.sources().get(2).address()).isEqualTo("gmetad");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sources: [{type: nagios}] | type",
        "sources: [{url: \"http://p\"}] | type must be one of prometheus, jolokia, ganglia",
        "sources: [{type: prometheus}] | url must be given",
        "sources: [{type: prometheus, url: \"p:9090\"}] | url: must be http://host",
        "sources: [{type: prometheus, url: \"http://me:secret@p\"}] | url: must be http://host",
        "sources: [{type: ganglia, address: g, mapping: m}] | mapping: goes with type prometheus",
        "sources: [{type: ganglia, address: g, tokenFile: t}] | neither users nor TLS",
        "sources: [{type: ganglia, address: \"g:65536\"}] | must be host[:port] with a port",
        "sources: [{type: ganglia, address: \"[::1]:0\"}] | port in [1, 65535], not [::1]:0",
        "sources: [{type: jolokia, mounts: [/d]}] | mounts: goes with type prometheus or ganglia",
        "sources: [{type: jolokia, port: 0}] | port: must be in [1, 65535]",
        "sources: [{type: jolokia, timeout: 1ms}] | timeout: must be in [100ms, 60s]",
        "sources: [{type: jolokia, name: native}] | name: must be another than native",
        "sources: [{type: jolokia}, {type: jolokia}] | sources: must be told apart by their names",
        "order: [prometheus] | order: must be each of native",
        "period: 100ms | period: must be in [1s, 1h]",
        "history: 5s | history: must be in [period, 1h]",
        "stale: 30s | stale: must be in [history, 1d]",
        "perod: 5s | perod"
      })
  void whatIsWrongIsNamedByFileAndKey(String section, String problem) {
    assertThatThrownBy(() -> Configs.metrics(section + "\n"))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("m.yaml:")
        .hasMessageContaining(problem);
  }

  @Test
  void aPasswordInAnAddressIsNotShown() {
    assertThatThrownBy(
            () -> Configs.metrics("sources: [{type: prometheus, url: 'http://me:secret@p'}]\n"))
        .hasMessageContaining("http://…@p")
        .message()
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:hunter2@p",
        "http://me:hun/ter2@p",
        "me:hunter2@p:9090",
        "http://me:hun?ter2@p",
        "http://p:9090?token=hunter2",
      })
  void noneIsRepeatedWhereverItStands(String url) {
    assertThatThrownBy(() -> Configs.metrics("sources: [{type: prometheus, url: '" + url + "'}]\n"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("url: must be http://host")
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("ter2"));
  }

  @Test
  void aFileHasTheSectionAsOtherFilesHaveIt(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("metrics.yaml");
    Files.writeString(file, "metrics:\n  sources: [" + PROMETHEUS + "]\n");
    assertThat(MetricsConfig.read(file).sources()).hasSize(1);
    Files.writeString(file, "sources: []\n");
    assertThatThrownBy(() -> MetricsConfig.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("sources");
  }
}
