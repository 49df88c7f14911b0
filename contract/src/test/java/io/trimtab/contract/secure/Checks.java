package io.trimtab.contract.secure;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.check.CassandraCheck;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseCheck;
import io.trimtab.hbase.HBaseContact;
import java.util.ArrayList;
import java.util.List;

/** What {@code trimtab connect check} finds of a way to reach a cluster. */
final class Checks {
  private Checks() {}

  static List<ConnectionStep> steps(CassandraContact contact) {
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
  static List<String> failed(CassandraContact contact) {
    return failed(steps(contact));
  }

  /** What those say that do not work. */
  static List<String> failed(HBaseContact contact) {
    return failed(steps(contact));
  }

  private static List<String> failed(List<ConnectionStep> steps) {
    return steps.stream().filter(s -> !s.works()).map(ConnectionStep::text).toList();
  }
}
