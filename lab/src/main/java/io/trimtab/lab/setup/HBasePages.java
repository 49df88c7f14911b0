package io.trimtab.lab.setup;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.process.Jmx;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What the pages of an HBase lab's servers, and of its HDFS's, tell, however protected. */
public record HBasePages(LabDir dir, LabState state) {
  private static final String MASTER = "Hadoop:service=HBase,name=Master,sub=Server";
  private static final String REGION_SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  /** A bean, or nothing while the process does not answer or has no such bean. */
  public Optional<JsonNode> bean(String host, int port, String name) {
    if (!state.config().tls()) {
      return Jmx.bean(host, port, name);
    }
    try {
      return new HBaseKeys(dir, state).pages().beans(host + ":" + port, name).stream().findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<JsonNode> master() {
    LabSlot slot = state.addresses();
    return bean(slot.coordinator(), slot.masterInfoPort(), MASTER)
        .filter(bean -> bean.path("masterFinishedInitializationTime").asLong() > 0);
  }

  /** RegionServers that an initialised master knows; −1 while there is no such master. */
  public int liveRegionServers() {
    return master().map(bean -> bean.path("numRegionServers").asInt(-1)).orElse(-1);
  }

  /** Whether the master knows the very process that runs on the node now. */
  public boolean serves(LabState.Node node) {
    LabSlot slot = state.addresses();
    Optional<String> running =
        bean(slot.node(node.index()), slot.regionServerInfoPort(), REGION_SERVER)
            .map(bean -> bean.path("tag.serverName").asText())
            .filter(name -> !name.isEmpty());
    return running.isPresent()
        && master()
            .map(bean -> bean.path("tag.liveRegionServers").asText().split(";"))
            .filter(known -> List.of(known).contains(running.get()))
            .isPresent();
  }
}
