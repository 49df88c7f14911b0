package io.trimtab.lab.cluster;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.lab.process.Isolation;
import io.trimtab.lab.process.Memory;
import io.trimtab.lab.process.Processes;
import io.trimtab.lab.slot.LabSlot;
import io.trimtab.lab.slot.SlotClaim;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Brings a lab up, from nothing to a cluster that serves, or leaves nothing behind. */
public final class LabBoot {
  static final String ZOOKEEPER = "zookeeper";
  public static final String NAMENODE = "namenode";
  static final String MASTER = "master";

  /** Where HDFS is apart from the nodes. */
  static final String DATANODE = "datanode";

  static final String KDC = "kdc";
  private static final List<String> WEB_FOLDERS =
      List.of(
          "webapps/hdfs",
          "webapps/datanode",
          "webapps/static",
          "hbase-webapps/master",
          "hbase-webapps/regionserver",
          "hbase-webapps/static");

  private final LabConfig config;
  private final Owner owner;
  private final Progress progress;
  private final LabDir dir;
  private SlotClaim claim;

  LabBoot(LabConfig config, Owner owner, Progress progress) {
    this.config = config;
    this.owner = owner;
    this.progress = progress;
    this.dir = LabDir.of(config.name());
  }

  LabDir run() {
    return run(config.nodes());
  }

  /**
   * Only the addresses and folders of a cluster, whose nodes are added later, and what these need
   * that is none of theirs. It does not count as up.
   */
  LabDir place() {
    return run(0);
  }

  private LabDir run(int nodes) {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new UserError("the lab needs Linux: it uses /proc and the network 127.0.0.0/8");
    }
    NodeControl.checkMemory(config, Memory.availableBytes());
    NodeControl.checkSharedMemory(config, LabDir.SHARED_MEMORY);
    LabState state = reserve(nodes);
    Thread hook = new Thread(this::cleanIfOurs, "lab-clean-up");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      startGuard();
      if (nodes > 0) {
        start(state);
        release();
      } else {
        // Nodes of a place come later, and may be asked for by whoever holds nothing of this.
        claim.keep();
        if (config.database() == Database.HBASE) {
          new HBaseBoot(dir, state, new NodeControl(dir, isolation(state)), progress).place();
        }
      }
      if (owner == Owner.NONE) {
        Files.createFile(dir.keep());
        Runtime.getRuntime().removeShutdownHook(hook);
      }
      return dir;
    } catch (IOException e) {
      abandon(hook);
      throw new UserError(dir.root() + ": can't be written: " + FileProblem.of(e), e);
    } catch (RuntimeException e) {
      abandon(hook);
      throw e;
    }
  }

  private void start(LabState state) {
    NodeControl control = new NodeControl(dir, isolation(state));
    if (config.database() == Database.HBASE) {
      new HBaseBoot(dir, state, control, progress).run();
    } else {
      new CassandraBoot(state, control, progress).run();
    }
    state.nodes().forEach(node -> control.limit(state, node));
    state.withReady().write(dir.state());
  }

  /** The name may belong to someone else's lab by now. */
  private void cleanIfOurs() {
    try {
      long self = ProcessHandle.current().pid();
      if (Files.readString(dir.owner()).equals(self + " " + Processes.startTicks(self))) {
        clean(dir, false);
      }
    } catch (IOException e) {
      // It is down already.
      return;
    }
  }

  /** Keeps the logs of a failed start for analysis. */
  private void abandon(Thread hook) {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is at it; the processes ended because of it and are not to blame.
      throw new UserError("interrupted", e);
    }
    clean(dir, true);
  }

  private static Isolation isolation(LabState state) {
    return state.isolated()
        ? Isolation.find(LabDir.of(state.config().name()).root())
        : Isolation.none("");
  }

  private void release() {
    try {
      claim.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the name and a slot, so that two labs that start at once differ in both. */
  private LabState reserve(int nodes) {
    try {
      Files.createDirectories(LabDir.labs());
      Path lock = LabDir.labs().resolve(".lock");
      synchronized (LabBoot.class) {
        try (FileChannel channel =
                FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            var held = channel.lock()) {
          refuseIfUp();
          clean(dir, false);
          return prepare(nodes);
        }
      }
    } catch (IOException e) {
      throw new UserError(LabDir.labs() + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  private void refuseIfUp() {
    Optional<LabState> old = LabState.read(dir.state());
    if (old.isEmpty()) {
      return;
    }
    Processes processes = new Processes(dir);
    Database database = old.get().config().database();
    boolean anyAlive =
        Stream.concat(
                Stream.concat(Stream.of("owner"), database.services(old.get().config()).stream()),
                old.get().nodes().stream().flatMap(n -> database.processes(n).values().stream()))
            .anyMatch(
                name -> processes.alive(name) && (!name.equals("owner") || !old.get().ready()));
    if (anyAlive) {
      throw new UserError(
          "lab "
              + config.name()
              + (old.get().ready() ? " is up already" : " is being started by another process")
              + "; remove it with: trimtab lab down "
              + config.name());
    }
  }

  private LabState prepare(int first) throws IOException {
    for (Path folder :
        List.of(dir.run(), dir.logs(), dir.root().resolve("data"), dir.root().resolve("conf"))) {
      Files.createDirectories(folder);
    }
    for (String folder : WEB_FOLDERS) {
      Files.createDirectories(dir.web().resolve(folder));
    }
    Files.writeString(dir.excludes(), "");
    try (InputStream script = LabBoot.class.getResourceAsStream("lab.sh")) {
      Files.write(dir.script(), script.readAllBytes());
    }
    long self = ProcessHandle.current().pid();
    Files.writeString(dir.owner(), self + " " + Processes.startTicks(self));

    Isolation isolation =
        config.isolate() == Isolate.OFF
            ? Isolation.none("switched off")
            : Isolation.find(dir.root());
    if (config.isolate() == Isolate.ON && isolation.cgroups().isEmpty()) {
      clean(dir, false);
      throw new UserError("nodes can't be isolated: " + isolation.why());
    }
    claim =
        SlotClaim.first(Math.floorMod(LabDir.labs().hashCode(), LabSlot.COUNT), takenSlots())
            .orElseThrow(() -> new UserError("no free ports for another lab"));
    return claim.use(
        slot -> {
          LabState state = state(slot, isolation, first);
          state.write(dir.state());
          return state;
        });
  }

  private LabState state(LabSlot slot, Isolation isolation, int first) {
    List<LabState.Node> nodes = new ArrayList<>();
    for (int i = 1; i <= first; i++) {
      nodes.add(new LabState.Node(i, config.profile()));
    }
    return new LabState(
        config,
        slot.number(),
        owner,
        false,
        isolation.cgroups().isPresent(),
        describe(isolation),
        true,
        first,
        nodes);
  }

  private String describe(Isolation isolation) {
    if (isolation.cgroups().isEmpty()) {
      return "none: " + isolation.why();
    }
    return isolation.cgroups().get().version()
        + ", per node "
        + config.cpus()
        + " cores, "
        + config.memoryLimit()
        + " memory, "
        + (isolation.device().isEmpty()
            ? "reads not limited: " + isolation.why()
            : (config.readIops() == 0 || !isolation.limitsReads()
                    ? "reads not limited, "
                    : config.readIops() + " reads/s on ")
                + "disk "
                + isolation.disk());
  }

  private static Set<Integer> takenSlots() throws IOException {
    Set<Integer> taken = new HashSet<>();
    try (Stream<Path> labs = Files.list(LabDir.labs())) {
      for (Path lab : labs.filter(Files::isDirectory).toList()) {
        LabState.read(new LabDir(lab).state()).ifPresent(state -> taken.add(state.slot()));
      }
    }
    return taken;
  }

  private void startGuard() throws IOException {
    String[] self = Files.readString(dir.owner()).strip().split(" ");
    Path nowhere = Path.of("/dev/null");
    // Its working folder must not be the lab's, which it removes.
    new ProcessBuilder(
            "setsid",
            "sh",
            dir.script().toString(),
            "watch",
            dir.root().toString(),
            self[0],
            self[1])
        .directory(LabDir.labs().toFile())
        .redirectInput(nowhere.toFile())
        .redirectOutput(nowhere.toFile())
        .redirectError(nowhere.toFile())
        .start();
  }

  /**
   * Ends every process and control group of a lab and removes its files; done when none is.
   *
   * @return a sentence about processes that had ended by themselves, whose logs are kept; empty
   *     when none had
   */
  static String clean(LabDir dir, boolean keepLogs) {
    if (!Files.exists(dir.root())) {
      return "";
    }
    try (InputStream script = LabBoot.class.getResourceAsStream("lab.sh")) {
      List<String> command = new ArrayList<>(List.of("sh", "-s", "clean", dir.root().toString()));
      if (keepLogs) {
        command.add("logs");
      }
      Process cleaner =
          new ProcessBuilder(command)
              .directory(dir.root().getParent().toFile())
              .redirectErrorStream(true)
              .start();
      try (var in = cleaner.getOutputStream()) {
        script.transferTo(in);
      }
      String output = new String(cleaner.getInputStream().readAllBytes()).strip();
      if (cleaner.waitFor() != 0) {
        throw new UserError("lab " + dir.root() + " can't be cleaned up: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UserError(dir.root() + ": can't be cleaned up: " + FileProblem.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted", e);
    }
  }
}
