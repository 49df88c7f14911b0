package io.trimtab.testkit.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One of {@link SshHosts}: an address, an sshd, a control group, and a folder of its own. */
final class SshHost {
  private static final Duration STARTING = Duration.ofSeconds(30);
  private static final Duration ENDING = Duration.ofSeconds(30);

  /**
   * Becomes sshd in the host's control group, with the host's own folder where all hosts have
   * theirs. What is started through this sshd has both, too. An sshd that root starts needs a
   * folder that only exists where the machine's own one has run.
   */
  private static final String BECOME =
      """
      echo $$ >"$1/cgroup.procs" || exit 1
      mount --bind "$2" "$3" || exit 1
      test -d /run/sshd || { mount -t tmpfs none /run && mkdir -m 755 /run/sshd; } || exit 1
      shift 3
      exec "$@"
      """;

  private final String address;
  private final int port;
  private final Path group;
  private final Path folder;
  private final Path own;
  private final Path log;
  private Process sshd;

  /**
   * @param group folder of its control group, which is made here
   * @param folder of all hosts, with the keys that may log in
   */
  SshHost(String address, int port, Path group, Path folder) throws IOException {
    this.address = address;
    this.port = port;
    this.group = Files.createDirectory(group);
    this.folder = folder;
    this.own = Files.createDirectory(folder.resolve(address));
    this.log = Files.createFile(folder.resolve(address + ".log"));
    Files.writeString(
        settings(),
        """
        ListenAddress %s:%d
        HostKey %s
        PidFile %s
        AuthorizedKeysFile %s
        AuthenticationMethods publickey
        PermitRootLogin prohibit-password
        UsePAM no
        StrictModes no
        """
            .formatted(
                address,
                port,
                key(),
                folder.resolve(address + ".pid"),
                folder.resolve(SshHosts.AUTHORIZED)));
  }

  Path own() {
    return own;
  }

  private Path settings() {
    return folder.resolve(address + ".conf");
  }

  private Path key() {
    return folder.resolve(address + ".key");
  }

  /** Makes a key of its own, or another one. */
  void makeKey() throws IOException, InterruptedException {
    SshHosts.makeKey(key());
  }

  /** As a file of known hosts has it. */
  String knownHost() throws IOException {
    List<String> words = List.of(Files.readString(SshHosts.publicPart(key())).strip().split(" "));
    return "[%s]:%d %s %s\n".formatted(address, port, words.get(0), words.get(1));
  }

  /** Returns once it listens. */
  void start() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", BECOME, "sh"));
    command.addAll(List.of(group.toString(), own.toString(), SshHosts.seen(folder).toString()));
    command.addAll(List.of(SshHosts.SSHD, "-D", "-e", "-f", settings().toString()));
    sshd =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    long end = System.nanoTime() + STARTING.toNanos();
    while (!listens()) {
      if (!sshd.isAlive() || System.nanoTime() > end) {
        throw new AssertionError(
            "host " + address + ": its sshd has not started: " + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends the sshd; who has logged in before stays. */
  void stop() throws InterruptedException {
    sshd.destroy();
    if (!sshd.waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("host " + address + ": its sshd does not end");
    }
  }

  /** The processes of those who have logged in, while the sshd lives. */
  List<ProcessHandle> sessions() {
    return sshd.descendants()
        .filter(process -> process.info().command().filter(c -> c.contains("sshd")).isPresent())
        .toList();
  }

  /** Ends all its processes at once, as when the power fails. */
  void kill() throws IOException, InterruptedException {
    long end = System.nanoTime() + ENDING.toNanos();
    List<ProcessHandle> killed = new ArrayList<>();
    List<String> pids = pids();
    while (!pids.isEmpty()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("host " + address + ": its processes do not end: " + pids);
      }
      for (String pid : pids) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(killed::add);
      }
      killed.forEach(ProcessHandle::destroyForcibly);
      TimeUnit.MILLISECONDS.sleep(20);
      pids = pids();
    }
    killed.forEach(process -> process.onExit().join());
  }

  private List<String> pids() throws IOException {
    return Files.readAllLines(group.resolve("cgroup.procs"));
  }
}
