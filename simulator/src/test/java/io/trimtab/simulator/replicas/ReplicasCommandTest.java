package io.trimtab.simulator.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ReplicasCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int sim(String... options) {
    ReplicasCommand command = new ReplicasCommand(new Terminal(out, err, false, false, false));
    new CommandLine(command).parseArgs(options);
    return command.call();
  }

  @Test
  void eachRankingHasARowAndTheRealUtilizationIsTold() {
    assertThat(sim("--requests", "2000", "--ranking", "c3,random")).isZero();

    assertThat(out.toString().lines())
        .hasSize(4)
        .first()
        .isEqualTo("70000 reads a second, utilization 0.84 with shadow reads, seed 1");
    assertThat(out.toString().lines().skip(2)).allMatch(row -> row.matches("(c3|random) .*"));
  }

  @Test
  void asJson() throws Exception {
    assertThat(sim("--requests", "2000", "--ranking", "thesis,trimtab:tell=0", "--json")).isZero();

    JsonNode results = new ObjectMapper().readTree(out.toString());
    assertThat(results).hasSize(2);
    assertThat(results.get(1).get("ranking").textValue()).isEqualTo("trimtab:tell=0");
    for (JsonNode result : results) {
      double last = 0;
      for (String figure : new String[] {"p50", "p95", "p99", "p999"}) {
        assertThat(result.get(figure).doubleValue()).isGreaterThan(last);
        last = result.get(figure).doubleValue();
      }
      assertThat(result.get("mean").doubleValue()).isPositive();
      assertThat(result.get("throughput").doubleValue()).isPositive();
      assertThat(result.get("loadSpread").doubleValue()).isBetween(0.0, 2.0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--ranking c4 | c4 is unknown; known are oracle, random",
        "--ranking c3:tell=1 | c3 takes only rate-control",
        "--ranking random:tell=1 | random takes no weights",
        "--ranking thesis:window=0 | window must be 1 to 1000",
        "--ranking thesis:newest=2 | newest must be 0 to 1",
        "--ranking trimtab:rate-control=1 | trimtab takes only chance, compensation",
        "--ranking trimtab:tell=x | tell must be a number",
        "--ranking trimtab:tell=-1 | tell must be 0 to 1000",
        "--servers 0 | --servers must be at least 1 and at most 1000, not 0",
        "--servers 1000 --clients 1001 | times --servers must be at most 1000000, not 1001000",
        "--rf 51 | --rf must be at least 1 and at most 50, not 51",
        "--service-dist gamma | --service-dist must be exponential, lognormal or pareto, not gamma",
        "--service-ms 0 | --service-ms must be positive, not 0.0",
        "--fluctuation-ms NaN | --fluctuation-ms must be positive, not NaN",
        "--slowdown 0.5 | --slowdown must be 1.0 to 1000.0, not 0.5",
        "--shadow-reads 1.5 | --shadow-reads must be 0.0 to 1.0, not 1.5",
        "--utilization 0.9 | with shadow reads it is 1.08 of the capacity",
        "--disk-reads-per-s 14 | --disk-reads-per-s must be a multiple of 10, not 14.0",
        "--disk-share 2 | --disk-share must be 0.0 to 1.0, not 2.0",
        "--disk-cut-reads-per-s 0 | --disk-cut-reads-per-s must be 10.0 to 1.0E7, not 0.0",
        "--disk-cuts-per-s 1 | --disk-reads-per-s must be more than the 10 of a slow disk, not 0",
        "--requests 0 | --requests must be at least 1, not 0",
      })
  void badInputIsToldAndNothingRuns(String typed, String message) {
    assertThatThrownBy(() -> sim(typed.split(" ")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(message);
    assertThat(out.toString()).isEmpty();
  }
}
