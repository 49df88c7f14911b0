package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class HdfsHealthTest {

  private static String lacking(String bean) throws JsonProcessingException {
    return HdfsHealth.lacking(new JsonMapper().readTree(bean));
  }

  @Test
  void everythingThatIsNotWholeIsNamed() throws JsonProcessingException {
    assertThat(
            lacking(
                """
                {"UnderReplicatedBlocks": 2, "PendingReplicationBlocks": 0, "MissingBlocks": 4,
                 "StaleDataNodes": 1}
                """))
        .isEqualTo("UnderReplicatedBlocks 2, MissingBlocks 4, StaleDataNodes 1");
    assertThat(lacking("{\"UnderReplicatedBlocks\": 0}")).isEmpty();
  }

  @Test
  void aNameNodeThatDoesNotSayIsNotTakenForWhole() throws JsonProcessingException {
    assertThat(lacking("{}")).isNotEmpty();
  }
}
