package io.trimtab.contract;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that takes control of a cluster, for the test that kills it. */
final class ControllerMain {
  private ControllerMain() {}

  /**
   * @param args {@code hbase QUORUM}, {@code cassandra HOST:PORT JMX_PORT}, or as typed on the
   *     command line: {@code --cluster NAME --connections FILE}
   */
  public static void main(String[] args) throws EngineException, InterruptedException {
    Engine engine =
        switch (args[0]) {
          case "hbase" -> HBaseEngine.connect(HBaseContact.of(args[1]));
          case "cassandra" ->
              CassandraEngine.connect(CassandraContact.of(args[1], Integer.parseInt(args[2])));
          default -> ClusterChoice.of(List.of(args)).connect();
        };
    System.out.println("held: " + engine.takeControl("killed").held());
    TimeUnit.MINUTES.sleep(5);
  }
}
