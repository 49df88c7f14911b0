package io.trimtab.workload.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import java.util.Queue;

/** Asks the nodes in turn, whichever has the data, as clients do that don't know where they are. */
public final class RoundRobinPolicy extends DcInferringLoadBalancingPolicy {
  /** As the driver makes it. */
  public RoundRobinPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  public Queue<Node> newQueryPlan(Request request, Session session) {
    return super.newQueryPlan(null, session);
  }
}
