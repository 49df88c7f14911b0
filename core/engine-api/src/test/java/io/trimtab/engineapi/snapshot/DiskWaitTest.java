package io.trimtab.engineapi.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DiskWaitTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private static UsageReading at(int second, double cores, double userS, DiskWait disk) {
    return new UsageReading(second * SECOND_NS, userS, 0, cores, disk, 0, "group n1");
  }

  private static DiskWait tasks(Map<String, Double> seconds) {
    return new DiskWait(WaitSource.DELAY_ACCOUNTING, seconds);
  }

  /** Ten seconds later, with one core and nothing else to do. */
  private static NodeUsage after(Map<String, Double> before, Map<String, Double> now) {
    return at(10, 1, 0, tasks(now)).since(at(0, 1, 0, tasks(before)));
  }

  @Test
  void aQueueOfTasksIsTheUtilisationOfADiskThatServesOneAfterTheOther() {
    // Of M/M/1, L = ρ / (1 − ρ).
    for (double utilisation : new double[] {0.01, 0.2, 0.5, 0.8, 0.99}) {
      double waiting = utilisation / (1 - utilisation);
      assertThat(DiskWait.ofTasks(waiting, 0, 1)).isCloseTo(utilisation, within(1e-9));
      assertThat(DiskWait.ofTasks(waiting, 0, 0.35)).isCloseTo(utilisation, within(1e-9));
    }
  }

  private static DiskWait disk(double own, double all, double readS, double busyS) {
    return DiskWait.ofDisks(Map.of("7:0", new DiskWait.Disk(own, all, readS, busyS)));
  }

  private static double ofDisk(DiskWait before, DiskWait now, double cores) {
    return now.share(before, 10, cores).orElseThrow();
  }

  @Test
  void aDisksTimesAreTheWaitsOfWhoReads() {
    DiskWait before = disk(100, 400, 3, 50);
    // A single reader that does nothing else: it waits for as long as the disk is at work.
    assertThat(ofDisk(before, disk(1600, 1900, 12, 59), 1)).isCloseTo(0.9, within(1e-9));
    // Reads come at random to a disk at work for 0.7 of the time: 1.5 are under way on average.
    assertThat(ofDisk(before, disk(1150, 1450, 18, 57), 0.7)).isCloseTo(0.7, within(1e-9));
    // Writes keep the disk at work too, and nobody waits for them.
    assertThat(ofDisk(before, disk(130, 430, 3.2, 60), 1)).isCloseTo(0.02, within(1e-3));
    // A third of the reads are the node's.
    assertThat(ofDisk(before, disk(200, 700, 6, 53), 1)).isCloseTo(0.1, within(0.01));
    assertThat(ofDisk(before, before, 1)).isZero();
    // Eight at once, every now and then: the disk was at work for a tenth of the time.
    assertThat(ofDisk(before, disk(260, 560, 7.5, 51), 0.7)).isCloseTo(0.1, within(1e-9));
    assertThat(ofDisk(before, disk(260, 560, 35, 51), 2)).isCloseTo(0.1, within(1e-9));
    // A disk that no longer answers: its reads count when they end.
    assertThat(ofDisk(before, disk(108, 400, 3, 60), 1)).isEqualTo(1);
    assertThat(ofDisk(before, disk(100, 900, 9, 58), 1)).as("others' reads").isZero();
    assertThat(disk(5, 5, 1, 1).share(before, 10, 1)).as("another disk of that name").isEmpty();
    assertThat(ofDisk(DiskWait.ofDisks(Map.of()), before, 1)).as("not known yet").isZero();
  }

  /** By the sum over the queue's lengths, of which at most as many cores can be idle. */
  @Test
  void moreCoresCanWaitForMoreTasks() {
    for (double waiting : new double[] {0.1, 1, 7, 40}) {
      for (int cores : new int[] {1, 2, 16}) {
        double ratio = waiting / (1 + waiting);
        double idle = 0;
        for (int n = 1; n < 100_000; n++) {
          idle += Math.min(n, cores) * Math.pow(ratio, n) * (1 - ratio);
        }
        assertThat(DiskWait.ofTasks(waiting, 0, cores)).isCloseTo(idle / cores, within(1e-9));
      }
    }
  }

  @Test
  void itIsAShareThatRisesWithWaitsAndFallsWithCores() {
    assertThat(DiskWait.ofTasks(0, 0, 1)).isZero();
    assertThat(DiskWait.ofTasks(1e9, 1, 4)).isBetween(0.999, 1.0);
    for (double cores : new double[] {0.35, 1, 2.5, 16}) {
      double last = 0;
      for (double waiting = 0.01; waiting < 1_000; waiting *= 1.5) {
        double now = DiskWait.ofTasks(waiting, 0, cores);
        assertThat(now).isBetween(last, 1.0).isGreaterThan(0);
        assertThat(DiskWait.ofTasks(waiting, 0, 2 * cores)).isLessThanOrEqualTo(now);
        assertThat(DiskWait.ofTasks(waiting, 0.5, cores)).isGreaterThanOrEqualTo(now);
        last = now;
      }
    }
  }

  @Test
  void aTaskThatAlwaysWaitsKeepsACoreIdle() {
    assertThat(after(Map.of("1", 2.0), Map.of("1", 12.0)).ioWait()).isEqualTo(1);
    assertThat(
            at(10, 4, 0, tasks(Map.of("1", 10.0)))
                .since(at(0, 4, 0, tasks(Map.of("1", 0.0))))
                .ioWait())
        .isCloseTo(0.25, within(0.01));
  }

  @Test
  void tasksThatEndTakeTheirWaitAlongAndNewOnesBringTheirs() {
    // The wait of the one that ended would otherwise be subtracted from that of the others.
    NodeUsage usage = after(Map.of("1", 1_000.0, "2", 5.0), Map.of("2", 8.0, "3", 2.0));
    assertThat(usage.ioWait()).isCloseTo(0.5 / 1.5, within(1e-9));
    assertThat(usage.waitSource()).isEqualTo(WaitSource.DELAY_ACCOUNTING);
  }

  @Test
  void aWaitThatIsAccountedLateIsNoMoreThanTheWholeTime() {
    assertThat(after(Map.of("1", 0.0), Map.of("1", 25.0)).ioWait()).isEqualTo(1);
  }

  @Test
  void waitIsNeverMoreThanTheIdleTime() {
    NodeUsage usage =
        at(10, 1, 8, tasks(Map.of("1", 10.0))).since(at(0, 1, 0, tasks(Map.of("1", 0.0))));
    assertThat(usage.cpuUser()).isCloseTo(0.8, within(1e-9));
    assertThat(usage.ioWait()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void otherSourcesAreSharesAlready() {
    NodeUsage usage =
        at(10, 4, 0, DiskWait.of(WaitSource.PRESSURE, 7.5))
            .since(at(0, 4, 0, DiskWait.of(WaitSource.PRESSURE, 5)));
    assertThat(usage.ioWait()).isCloseTo(0.25, within(1e-9));
    assertThat(usage.waitSource()).isEqualTo(WaitSource.PRESSURE);
  }

  /** Otherwise a switch that somebody turns would look like a disk that has become fast. */
  @Test
  void readingsOfDifferentSourcesAreNotCompared() {
    UsageReading before = at(0, 1, 0, tasks(Map.of("1", 0.0)));
    assertThat(at(10, 1, 0, DiskWait.of(WaitSource.READS_BY_LIMIT, 1)).since(before))
        .isEqualTo(NodeUsage.UNKNOWN);
    assertThat(at(10, 1, 0, DiskWait.NONE).since(before)).isEqualTo(NodeUsage.UNKNOWN);
    assertThat(after(Map.of("1", 5.0), Map.of("1", 4.0))).isEqualTo(NodeUsage.UNKNOWN);
  }

  @Test
  void whatNobodyMeasuresIsUnknownAndNotZero() {
    NodeUsage usage = at(10, 1, 5, DiskWait.NONE).since(at(0, 1, 0, DiskWait.NONE));
    assertThat(usage.cpu()).isEqualTo(0.5);
    assertThat(usage.ioWait()).isNaN();
    assertThat(usage.server()).isNaN();
    assertThat(usage.known()).isFalse();
    assertThat(usage.waitSource()).isEqualTo(WaitSource.NONE);
  }

  @Test
  void sourcesAreToldWithTheirNumbersIfTheyDiffer() {
    NodeUsage measured = new NodeUsage(0.1, 0, 0, 0, WaitSource.DELAY_ACCOUNTING);
    NodeUsage other = new NodeUsage(0.1, 0, 0, 0, WaitSource.MACHINE);
    assertThat(WaitSource.phrase(List.of(measured, NodeUsage.UNKNOWN)))
        .isEqualTo("the block-I/O delay of the node's tasks");
    assertThat(WaitSource.phrase(List.of(other, measured, measured)))
        .isEqualTo(
            "the block-I/O delay of the node's tasks (2 of 3), the I/O wait of the entire machine"
                + " (1 of 3)");
    assertThat(WaitSource.phrase(List.of(NodeUsage.UNKNOWN))).isEmpty();
    assertThat(WaitSource.text("MACHINE")).isEqualTo(WaitSource.MACHINE.text());
    assertThat(WaitSource.text("")).isEqualTo("a source that was not recorded");
    assertThat(WaitSource.text("LATER")).isEqualTo("LATER");
  }
}
