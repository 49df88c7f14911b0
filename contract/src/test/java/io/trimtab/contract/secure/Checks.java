package io.trimtab.contract.secure;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.check.CassandraCheck;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseCheck;
import io.trimtab.hbase.HBaseContact;
import java.util.ArrayList;
import java.util.List;

/** What {@code trimtab connect check} finds of a way to reach a cluster, or a snapshot lacks. */
public final class Checks {
  private static final int LOOKS = 60;

  private Checks() {}

  public static List<ConnectionStep> steps(CassandraContact contact) {
    List<ConnectionStep> steps = new ArrayList<>();
    new CassandraCheck(contact, steps::add).run();
    return steps;
  }

  static List<ConnectionStep> steps(HBaseContact contact) {
    List<ConnectionStep> steps = new ArrayList<>();
    new HBaseCheck(contact, steps::add).run();
    return steps;
  }

  /** What those say that do not work. */
  public static List<String> failed(CassandraContact contact) {
    return failed(steps(contact));
  }

  /** What those say that do not work. */
  static List<String> failed(HBaseContact contact) {
    return failed(steps(contact));
  }

  private static List<String> failed(List<ConnectionStep> steps) {
    return steps.stream().filter(s -> !s.works()).map(ConnectionStep::text).toList();
  }

  /** Those of a snapshot: a master that was restarted is not known to all for some seconds. */
  static List<String> gapsAfterAWhile(Engine engine) throws EngineException, InterruptedException {
    List<String> gaps = engine.snapshot().gaps();
    for (int look = 0; look < LOOKS && !gaps.isEmpty(); look++) {
      Thread.sleep(1_000);
      gaps = engine.snapshot().gaps();
    }
    return gaps;
  }
}
