package io.trimtab.hbase.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitRulesTest {
  private static final String HBASES = "org.apache.hadoop.hbase.regionserver.";
  private static final String POLICY = "hbase.regionserver.region.split.policy";
  private static final String RESTRICTION = "hbase.regionserver.region.split_restriction.type";
  private static final String DISABLED = HBASES + "DisabledRegionSplitPolicy";

  private final TableDescriptorBuilder table =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));

  private Optional<String> refusal(Map<String, String> settings) {
    return SplitRules.of(settings).refusal(table.build());
  }

  private void assertRefuses(Map<String, String> settings, String why) {
    assertThat(refusal(settings)).hasValueSatisfying(told -> assertThat(told).contains(why));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HBASES + "ConstantSizeRegionSplitPolicy",
        HBASES + "IncreasingToUpperBoundRegionSplitPolicy",
        HBASES + "SteppingSplitPolicy",
        HBASES + "BusyRegionSplitPolicy",
        "io.trimtab.hbaseplugin.LoadSplitPolicy"
      })
  void policiesThatDecideWhenForbidNothing(String policy) {
    assertThat(refusal(Map.of())).isEmpty();
    assertThat(refusal(Map.of(POLICY, policy))).isEmpty();
    table.setRegionSplitPolicyClassName(policy);
    assertThat(refusal(Map.of(POLICY, DISABLED))).as("the table's goes first").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HBASES + "KeyPrefixRegionSplitPolicy",
        HBASES + "DelimitedKeyPrefixRegionSplitPolicy",
        DISABLED,
        "org.apache.phoenix.schema.MetaDataSplitPolicy",
        "com.example.Own"
      })
  void anyOtherMayKeepRowsTogether(String policy) {
    String why = "split policy, " + policy + ", may keep";
    assertRefuses(Map.of(POLICY, policy), why);
    table.setRegionSplitPolicyClassName(policy);
    assertRefuses(Map.of(), why);
  }

  /** What HBase's shell calls its configuration. */
  @Test
  void aTableMayNameAPolicyAsAServerDoes() {
    table.setValue(POLICY, DISABLED);
    assertRefuses(Map.of(), DISABLED);
  }

  /** HBase would split at the prefix of the key, and a split at the key itself be waited for. */
  @Test
  void whatRestrictsKeysKeepsRowsTogether() {
    assertRefuses(Map.of(RESTRICTION, "KeyPrefix"), "split restriction, KeyPrefix, keeps");
    table.setValue(RESTRICTION, "DelimitedKeyPrefix");
    assertRefuses(Map.of(), "split restriction, DelimitedKeyPrefix, keeps");
    table.setValue(RESTRICTION, "None");
    assertThat(refusal(Map.of(RESTRICTION, "KeyPrefix"))).isEmpty();
  }

  @Test
  void aTableMayBeKeptFromSplitting() {
    table.setSplitEnabled(false);
    assertRefuses(Map.of(), "SPLIT_ENABLED");
  }
}
