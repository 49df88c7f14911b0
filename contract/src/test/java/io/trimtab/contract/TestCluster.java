package io.trimtab.contract;

import io.trimtab.engineapi.Engine;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.workload.Target;
import java.io.IOException;

/** A real cluster of one class of tests, with its engine and a client. */
public interface TestCluster extends AutoCloseable {
  Lab lab();

  Engine engine();

  Target target();

  /** Disconnects, and removes the cluster. */
  @Override
  void close() throws IOException;
}
