package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.hbaseplugin.RegionRequests.Range;
import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that share a file system, second by second. */
class CountsSaverTest {
  private static final byte[] OPEN = {};
  private static final Range ALL = new Range("t", OPEN, OPEN);

  @TempDir Path table;
  private final List<String> log = new ArrayList<>();
  private final FailureLog failures = new FailureLog((what, total, cause) -> {});
  private Disk disk;

  /** A local file system that counts what it is asked for, and fails when told to. */
  private static final class Disk extends FilterFileSystem {
    private int written;
    private int opened;
    private boolean fails;
    private Runnable meanwhile = () -> {};

    Disk(FileSystem raw) {
      super(raw);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
        org.apache.hadoop.fs.Path file,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      written++;
      fail();
      Runnable once = meanwhile;
      meanwhile = () -> {};
      once.run();
      return fs.createNonRecursive(
          file, permission, flags, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path file, int bufferSize)
        throws IOException {
      opened++;
      fail();
      return fs.open(file, bufferSize);
    }

    private void fail() throws IOException {
      if (fails) {
        throw new IOException("no DataNode answers");
      }
    }
  }

  /** A RegionServer. */
  private final class Server {
    private final RegionRequests requests = new RegionRequests(() -> 0);
    private final List<String> opening = new ArrayList<>();
    private final CountsSaver saver = new CountsSaver(requests, this::file, failures, log::add);

    private Optional<SavedCounts> file(String region) {
      return opening.contains(region)
          ? Optional.empty()
          : Optional.of(new SavedCounts(disk, folder(region)));
    }

    /** Opens a region of which nothing is handed over. */
    RegionFollower open(String region) {
      return requests.open(region, ALL);
    }

    /** Opens a region whose requests are counted from now on. */
    RegionFollower counting(String region) {
      requests.expect(region, new BlockAccesses(List.of(new byte[] {9}), OPEN, OPEN));
      return requests.open(region, ALL);
    }

    void pass(long second) {
      saver.pass(TimeUnit.SECONDS.toNanos(second));
    }

    long requestsOf(String region) {
      return requests
          .follower(region)
          .flatMap(RegionFollower::accesses)
          .map(BlockAccesses::requests)
          .orElse(-1L);
    }
  }

  private org.apache.hadoop.fs.Path folder(String region) {
    return new org.apache.hadoop.fs.Path(table.resolve(region).toString());
  }

  private Path file(String region) {
    return table.resolve(region).resolve(SavedCounts.NAME);
  }

  private static void read(RegionFollower follower, int times) {
    for (int i = 0; i < times; i++) {
      follower.read(new byte[] {(byte) (i % 18)});
    }
  }

  @BeforeEach
  void folders() throws IOException {
    disk = new Disk(FileSystem.getLocal(new Configuration()).getRaw());
    for (String region : List.of("a", "b", "c")) {
      Files.createDirectory(table.resolve(region));
    }
  }

  /** As a server leaves it that had counted 1,000 requests of a region when it died. */
  private Server dead(String region) {
    Server server = new Server();
    read(server.counting(region), 1_000);
    server.pass(0);
    server.pass(1);
    assertThat(file(region)).exists();
    return server;
  }

  @Test
  void aRegionThatOpensElsewhereStartsWithWhatWasSaved() {
    Server dead = dead("a");
    Server next = new Server();
    RegionFollower follower = next.open("a");

    next.pass(0);

    byte[] before = dead.requests.follower("a").orElseThrow().accesses().orElseThrow().toBytes();
    assertThat(follower.accesses().orElseThrow().toBytes()).isEqualTo(before);
    read(follower, 5);
    assertThat(next.requestsOf("a")).isEqualTo(1_005);
    assertThat(failures.count()).isZero();
    assertThat(log).isEmpty();
  }

  @Test
  void whatWasCountedBeforeTheFileWasReadIsAdded() {
    dead("a");
    Server next = new Server();
    RegionFollower follower = next.open("a");
    next.opening.add("a");
    next.pass(0);
    assertThat(follower.accesses()).isEmpty();
    // As after a request for histograms.
    follower.goOnFrom(new BlockAccesses(List.of(new byte[] {9}), OPEN, OPEN));
    read(follower, 7);
    next.opening.clear();

    next.pass(1);

    assertThat(next.requestsOf("a")).isEqualTo(1_007);
  }

  @Test
  void whatAnotherServerHandsOverIsNewerThanTheFile() {
    dead("a");
    Server next = new Server();
    read(next.counting("a"), 20);

    next.pass(0);

    assertThat(next.requestsOf("a")).isEqualTo(20);
    assertThat(disk.opened).isZero();
  }

  @Test
  void aRegionThatComesBackGoesOnWithTheNewerCounts() throws IOException {
    Server first = dead("a");
    first.requests.close("a");
    first.pass(2);
    first.open("a");
    first.pass(3);
    assertThat(disk.opened).as("its own file").isZero();
    first.requests.close("a");
    first.pass(4);
    Server second = new Server();
    RegionFollower there = second.open("a");
    second.pass(0);
    read(there, 3_000);
    second.pass(1);
    second.requests.close("a");
    // As if the two servers had not written in the same millisecond.
    disk.setTimes(new org.apache.hadoop.fs.Path(file("a").toString()), 1_800_000_000_000L, -1);

    first.open("a");
    first.pass(5);

    assertThat(first.requestsOf("a")).isEqualTo(4_000);
  }

  @Test
  void aServerThatIsLateDoesNotReplaceWhatTheNextOneHasSaved() throws IOException {
    Server late = dead("a");
    read(late.requests.follower("a").orElseThrow(), 500);
    Server next = new Server();
    disk.meanwhile =
        () -> {
          late.opening.add("a");
          RegionFollower there = next.open("a");
          next.pass(0);
          read(there, 3_000);
          next.pass(1);
        };
    late.pass(100);

    assertThat(SavedCounts.decode("a", Files.readAllBytes(file("a"))).requests()).isEqualTo(4_000);
  }

  @Test
  void aRegionThatChangesIsSavedLessAndLessOften() {
    Server server = new Server();
    RegionFollower follower = server.counting("a");
    List<Integer> saved = new ArrayList<>();
    for (int second = 0; second <= 120; second++) {
      read(follower, 200);
      int before = disk.written;
      server.pass(second);
      if (disk.written > before) {
        saved.add(second);
      }
    }

    assertThat(saved).containsExactly(1, 5, 14, 30, 55, 85, 115);
  }

  @Test
  void aRegionThatHardlyChangesIsNotSavedAgain() {
    Server server = new Server();
    RegionFollower follower = server.counting("a");
    read(follower, 99);
    for (int second = 0; second <= 60; second++) {
      server.pass(second);
    }
    assertThat(disk.written).as("fewer than are worth a file").isZero();

    read(follower, 2_901);
    for (int second = 61; second <= 120; second++) {
      server.pass(second);
    }
    read(follower, 299);
    for (int second = 121; second <= 240; second++) {
      server.pass(second);
    }
    assertThat(disk.written).isOne();
    read(follower, 1);
    server.pass(300);
    assertThat(disk.written).isEqualTo(2);
  }

  @Test
  void oneRegionIsSavedInASecond() {
    Server server = new Server();
    for (String region : List.of("a", "b", "c")) {
      read(server.counting(region), 1_000);
    }
    for (int second = 0; second <= 3; second++) {
      server.pass(second);
      assertThat(disk.written).isEqualTo(second);
    }
    assertThat(file("a")).exists();
    assertThat(file("b")).exists();
    assertThat(file("c")).exists();
  }

  @Test
  void aFileSystemThatFailsIsTriedLessAndLessOftenAndRequestsGoOn() {
    Server server = new Server();
    RegionFollower follower = server.counting("a");
    server.counting("b");
    read(follower, 1_000);
    read(server.requests.follower("b").orElseThrow(), 1_000);
    disk.fails = true;
    List<Integer> tried = new ArrayList<>();
    for (int second = 0; second <= 120; second++) {
      int before = disk.written;
      server.pass(second);
      if (disk.written > before) {
        tried.add(second);
      }
    }

    assertThat(tried).containsExactly(1, 2, 6, 15, 31, 56, 86, 116);
    assertThat(failures.count()).isEqualTo(8);
    read(follower, 10);
    assertThat(server.requestsOf("a")).isEqualTo(1_010);

    disk.fails = false;
    for (int second = 121; second <= 180; second++) {
      server.pass(second);
    }
    assertThat(disk.written).isEqualTo(10);
    assertThat(file("a")).exists();
    assertThat(file("b")).exists();
  }

  @Test
  void aFileThatCanNotBeReadIsTriedAgain() {
    dead("a");
    Server next = new Server();
    next.open("a");
    disk.fails = true;
    for (int second = 0; second < 20; second++) {
      next.pass(second);
    }
    assertThat(disk.opened).as("after 0, 1, 5 and 14 s").isEqualTo(4);
    assertThat(next.requestsOf("a")).isEqualTo(-1);

    disk.fails = false;
    for (int second = 20; second <= 30; second++) {
      next.pass(second);
    }
    assertThat(next.requestsOf("a")).isEqualTo(1_000);
  }

  @Test
  void afterAMinuteARegionGoesOnWithoutAFileThatCanNotBeRead() {
    dead("a");
    Server next = new Server();
    next.open("a");
    disk.fails = true;
    for (int second = 0; second <= 300; second++) {
      next.pass(second);
    }

    assertThat(disk.opened).isEqualTo(6);
    assertThat(failures.count()).isEqualTo(6);
  }

  @Test
  void aDamagedFileIsToldOnceAndReplaced() throws IOException {
    dead("a");
    byte[] bytes = Files.readAllBytes(file("a"));
    bytes[bytes.length / 2] ^= 1;
    Files.write(file("a"), bytes);
    Server next = new Server();
    RegionFollower follower = next.open("a");
    for (int second = 0; second <= 100; second++) {
      next.pass(second);
    }
    assertThat(log)
        .singleElement()
        .asString()
        .contains("a/" + SavedCounts.NAME)
        .endsWith(" is ignored: its checksum is wrong");
    assertThat(follower.accesses()).isEmpty();
    assertThat(failures.count()).isZero();

    follower.goOnFrom(new BlockAccesses(List.of(new byte[] {9}), OPEN, OPEN));
    read(follower, 150);
    for (int second = 101; second <= 140; second++) {
      next.pass(second);
    }
    assertThat(SavedCounts.decode("a", Files.readAllBytes(file("a"))).requests()).isEqualTo(150);
  }

  /** Its folder may be gone, or belong to another server. */
  @Test
  void nothingIsSavedOfARegionThatIsClosed() {
    Server server = new Server();
    read(server.counting("a"), 1_000);
    server.pass(0);
    server.requests.close("a");
    for (int second = 1; second <= 60; second++) {
      server.pass(second);
    }

    assertThat(disk.written).isZero();
  }
}
