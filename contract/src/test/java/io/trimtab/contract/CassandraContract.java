package io.trimtab.contract;

import io.trimtab.lab.cluster.CassandraLab;
import java.util.Set;

/** What the Cassandra engine must do on every real cluster. */
public abstract class CassandraContract extends EngineContract {
  @Override
  protected abstract CassandraCluster cluster();

  @Override
  public Set<Capability> can() {
    return Set.of(Capability.ONLINE_PROFILES, Capability.NODE_SETTINGS);
  }

  @Override
  protected String[] controllerArguments() {
    CassandraLab lab = cluster().lab();
    return new String[] {
      "cassandra", lab.client().text(), Integer.toString(lab.client().jmxPort())
    };
  }
}
