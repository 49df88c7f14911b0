package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.hbase.PluginInstall;
import io.trimtab.hbasecounting.CountingRegionServer;
import io.trimtab.hbaseplugin.LoadSplitPolicy;
import io.trimtab.hbaseplugin.ProfileEndpoint;
import io.trimtab.hbaseplugin.RequestObserver;
import io.trimtab.lab.setup.SiteFiles;
import org.junit.jupiter.api.Test;

/** Users' hbase-site.xml, cassandra.yaml and table descriptors name these. */
class PluginNamesTest {

  @Test
  void whatIsWrittenIntoConfigurationsIsTheClassesName() {
    assertThat(PluginInstall.ENDPOINT)
        .isEqualTo("io.trimtab.hbaseplugin.ProfileEndpoint")
        .isEqualTo(ProfileEndpoint.class.getName())
        .isEqualTo(SiteFiles.PLUGIN);
    assertThat(PluginInstall.OBSERVER)
        .isEqualTo("io.trimtab.hbaseplugin.RequestObserver")
        .isEqualTo(RequestObserver.class.getName());
    assertThat(LoadSplitPolicy.class.getName()).isEqualTo("io.trimtab.hbaseplugin.LoadSplitPolicy");
    assertThat(CountingRegionServer.class.getName())
        .isEqualTo("io.trimtab.hbasecounting.CountingRegionServer");
  }

  @Test
  void cassandrasPlugInIsCalledAsItsClientsExpect() {
    assertThat(RankingPlugin.SNITCH)
        .isEqualTo("io.trimtab.cassandraplugin.TrimtabSnitch")
        .isEqualTo(CassandraSettings.RANKING_SNITCH);
    assertThat(RankingPlugin.BEAN).isEqualTo("io.trimtab:type=ReplicaRanking");
  }
}
