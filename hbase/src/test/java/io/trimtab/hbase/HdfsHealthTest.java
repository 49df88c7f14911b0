package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class HdfsHealthTest {

  private static long lacking(String bean) throws JsonProcessingException {
    return HdfsHealth.lacking(new JsonMapper().readTree(bean));
  }

  @Test
  void everythingThatIsNotWholeCounts() throws JsonProcessingException {
    assertThat(
            lacking(
                """
                {"UnderReplicatedBlocks": 2, "PendingReplicationBlocks": 3, "MissingBlocks": 4,
                 "StaleDataNodes": 1}
                """))
        .isEqualTo(10);
    assertThat(lacking("{\"UnderReplicatedBlocks\": 0}")).isZero();
  }

  @Test
  void aNameNodeThatDoesNotSayIsNotTakenForWhole() throws JsonProcessingException {
    assertThat(lacking("{}")).isNotZero();
  }
}
