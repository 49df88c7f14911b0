package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

class ClusterTest {
  private static List<ServerName> draining(String bean) throws IOException {
    JsonNode read = new JsonMapper().readTree(bean);
    return Cluster.draining("m1:16010", List.of(read));
  }

  @Test
  void serversThatAreClosedForNewRegionsAreReadOnTheMastersPage() throws IOException {
    assertThat(draining("{\"tag.drainingRegionServers\": \"n1,16020,5;n2,16020,7\"}"))
        .containsExactly(ServerName.valueOf("n1,16020,5"), ServerName.valueOf("n2,16020,7"));
    assertThat(draining("{\"tag.drainingRegionServers\": \"\"}")).isEmpty();
  }

  @Test
  void aPageThatDoesNotTellIsNotTakenForNone() {
    assertThatThrownBy(() -> draining("{\"tag.isActiveMaster\": \"true\"}"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("m1:16010: the page does not tell")
        .hasMessageContaining("tag.drainingRegionServers");
    assertThatThrownBy(() -> Cluster.draining("m1:16010", List.of()))
        .isInstanceOf(IOException.class);
  }
}
