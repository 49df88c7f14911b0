package io.trimtab.hbase.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.trimtab.engineapi.snapshot.DiskSpace;
import org.junit.jupiter.api.Test;

class DataNodesTest {
  /** As Hadoop 3.3 tells them; of the capacity of 1,000 the file system keeps 50 for root. */
  private static String node(String name, String address, long stored, long other, long remaining) {
    return """
        "%s:9866": {"infoAddr": "%s:9864", "infoSecureAddr": "%s:0", "xferaddr": "%s:9866",
         "location": "/default-rack", "lastContact": 1, "usedSpace": %d,
         "adminState": "In Service", "nonDfsUsedSpace": %d, "capacity": 1000, "numBlocks": 7,
         "version": "3.3.6", "used": %d, "remaining": %d, "blockScheduled": 0,
         "blockPoolUsed": %d, "blockPoolUsedPercent": 0.01, "volfails": 0, "lastBlockReport": 3}
        """
        .formatted(name, address, address, address, stored, other, stored, remaining, stored);
  }

  private static DataNodes nodes(String... each) throws JsonProcessingException {
    return DataNodes.parse("{" + String.join(",", each) + "}");
  }

  @Test
  void theDisksOfAHostAreThoseOfItsDataNode() throws JsonProcessingException {
    DataNodes nodes =
        nodes(
            node("dn1.test.invalid", "10.0.0.1", 200, 150, 600),
            node("dn2.test.invalid", "10.0.0.2", 300, 150, 500));
    assertThat(nodes.isEmpty()).isFalse();
    assertThat(nodes.on("dn1.test.invalid")).isEqualTo(new DiskSpace(950, 350, 200));
    assertThat(nodes.on("DN2.test.invalid")).isEqualTo(new DiskSpace(950, 450, 300));
    assertThat(nodes.on("10.0.0.2")).isEqualTo(new DiskSpace(950, 450, 300));
    assertThat(nodes.on("dn3.test.invalid")).isEqualTo(DiskSpace.UNKNOWN);
  }

  @Test
  void dataNodesOfOneNameAreToldApartByTheirAddresses() throws JsonProcessingException {
    DataNodes nodes =
        nodes(
            node("lab.invalid", "127.1.0.1", 200, 0, 800).replace(":9866\": {", ":1\": {"),
            node("lab.invalid", "127.1.0.2", 300, 0, 700));
    assertThat(nodes.on("127.1.0.1").storedBytes()).isEqualTo(200);
    assertThat(nodes.on("127.1.0.2").storedBytes()).isEqualTo(300);
    assertThat(nodes.on("lab.invalid").storedBytes()).as("the fuller one").isEqualTo(300);
  }

  @Test
  void whatTheNameNodeDoesNotTellIsUnknown() throws JsonProcessingException {
    assertThat(nodes("\"a:1\": {\"xferaddr\": \"10.0.0.1:1\", \"capacity\": 9}").on("10.0.0.1"))
        .isEqualTo(DiskSpace.UNKNOWN);
    assertThat(DataNodes.parse("{}").isEmpty()).isTrue();
    assertThat(DataNodes.NONE.on("a")).isEqualTo(DiskSpace.UNKNOWN);
    assertThatThrownBy(() -> DataNodes.parse("<html>")).isInstanceOf(JsonProcessingException.class);
  }
}
