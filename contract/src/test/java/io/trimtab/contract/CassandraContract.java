package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.contract.secure.Checks;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.lab.cluster.CassandraLab;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

  /** Whose permissions there are to check is told, and that a ring asks for nobody. */
  @Test
  protected void theCheckFindsNothingToMend() {
    CassandraContact contact = cluster().lab().client();
    List<ConnectionStep> steps = Checks.steps(contact);
    String permissions =
        contact.cql().isPresent()
            ? "permission CREATE on "
            : "permissions: the cluster asks for no";
    assertThat(steps).filteredOn(step -> !step.works()).isEmpty();
    assertThat(steps)
        .extracting(ConnectionStep::text)
        .anyMatch(text -> text.startsWith("ok      " + permissions));
  }
}
