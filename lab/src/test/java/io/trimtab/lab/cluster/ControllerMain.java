package io.trimtab.lab.cluster;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.HBaseTarget;
import java.util.concurrent.TimeUnit;

/** A process that takes control of a cluster, for the test that kills it. */
final class ControllerMain {
  private ControllerMain() {}

  public static void main(String[] args) throws EngineException, InterruptedException {
    HBaseEngine engine = HBaseEngine.connect(HBaseTarget.of(args[0]));
    System.out.println("held: " + engine.takeControl("killed").held());
    TimeUnit.MINUTES.sleep(5);
  }
}
