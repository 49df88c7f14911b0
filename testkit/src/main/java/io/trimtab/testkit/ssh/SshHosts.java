package io.trimtab.testkit.ssh;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Hosts for tests, all on this machine. Each has a loopback address with a real sshd of Debian's
 * package {@code openssh-server}, which lets this user in by a key that was made for the test; a
 * control group, in which all runs that is started through its sshd; and in {@link #seen} a folder
 * of its own. What runs on them ends with this process, also if that is killed. Needs Linux and
 * root.
 */
public final class SshHosts implements AutoCloseable {
  static final String SSHD = "/usr/sbin/sshd";
  static final String AUTHORIZED = "authorized_keys";
  private static final Duration ENDING = Duration.ofMinutes(1);

  /** Waits for the end of its input, then ends all processes of all groups, and removes all. */
  private static final String CLEAN_UP =
      """
      cat >/dev/null
      folder=$1
      shift
      for group; do
        while test -d "$group" && ! rmdir "$group"; do
          kill -9 $(cat "$group/cgroup.procs")
          sleep 0.1
        done
      done
      rm -rf "$folder"
      """;

  private final Path folder;
  private final int port;
  private final Process cleaner;
  private final Map<String, SshHost> hosts = new LinkedHashMap<>();

  private SshHosts(Path folder, int port, Process cleaner) {
    this.folder = folder;
    this.port = port;
    this.cleaner = cleaner;
  }

  /**
   * Starts hosts.
   *
   * @param addresses of the network 127.0.0.0/8
   */
  public static SshHosts start(List<String> addresses) throws IOException, InterruptedException {
    if (!Files.isExecutable(Path.of(SSHD))) {
      throw new AssertionError("this test needs Debian's openssh-server: no program " + SSHD);
    }
    if (!System.getProperty("user.name").equals("root")) {
      throw new AssertionError("this test needs root: its hosts get control groups and mounts");
    }
    Path folder = Files.createTempDirectory("trimtab-ssh");
    Files.createDirectory(seen(folder));
    Map<String, Path> groups = new LinkedHashMap<>();
    Path tree = controlGroups();
    for (String address : addresses) {
      groups.put(address, tree.resolve("ssh-" + folder.getFileName() + "-" + address));
    }
    SshHosts hosts =
        new SshHosts(folder, freePort(addresses.get(0)), cleaner(folder, groups.values()));
    try {
      hosts.startAll(groups);
      return hosts;
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      hosts.close();
      throw e;
    }
  }

  private static Process cleaner(Path folder, Collection<Path> groups) throws IOException {
    // In a session of its own, it outlives an interrupt from the terminal.
    List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", CLEAN_UP, "sh"));
    command.add(folder.toString());
    groups.forEach(group -> command.add(group.toString()));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void startAll(Map<String, Path> groups) throws IOException, InterruptedException {
    makeKey(key());
    Files.copy(publicPart(key()), folder.resolve(AUTHORIZED));
    StringBuilder known = new StringBuilder();
    for (Map.Entry<String, Path> group : groups.entrySet()) {
      SshHost host = new SshHost(group.getKey(), port, group.getValue(), folder);
      hosts.put(group.getKey(), host);
      host.makeKey();
      known.append(host.knownHost());
      host.start();
    }
    Files.writeString(knownHosts(), known);
  }

  /** Where the kernel's tree of control groups is, by what is mounted. */
  private static Path controlGroups() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      int options = line.indexOf(" - ");
      if (options > 0 && line.startsWith("cgroup2 ", options + 3)) {
        return Path.of(List.of(line.split(" ")).get(4));
      }
    }
    throw new AssertionError("this test needs control groups of version 2, as cgroup2 is mounted");
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.getLocalPort();
    }
  }

  static void makeKey(Path file) throws IOException, InterruptedException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", fresh.toString());
    Files.move(publicPart(fresh), publicPart(file), StandardCopyOption.REPLACE_EXISTING);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
  }

  static Path publicPart(Path key) {
    return key.resolveSibling(key.getFileName() + ".pub");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int code = process.waitFor();
    if (code != 0) {
      throw new AssertionError(String.join(" ", command) + ": failed with exit code " + code);
    }
  }

  static Path seen(Path folder) {
    return folder.resolve("host");
  }

  /** On which all sshds listen. */
  public int port() {
    return port;
  }

  /** The private key with which one logs in. */
  public Path key() {
    return folder.resolve("key");
  }

  /** The keys of all hosts. */
  public Path knownHosts() {
    return folder.resolve("known_hosts");
  }

  /** The public keys that all hosts let in. */
  public Path authorized() {
    return folder.resolve(AUTHORIZED);
  }

  /** Under this path each host has another folder. */
  public Path seen() {
    return seen(folder);
  }

  /** The folder that the host has at {@link #seen}, as this process has it. */
  public Path folder(String host) {
    return hosts.get(host).own();
  }

  /** Ends the host's sshd; who has logged in before stays. */
  public void stop(String host) throws InterruptedException {
    hosts.get(host).stop();
  }

  /** Starts the sshd of a host that was stopped or killed. */
  public void startAgain(String host) throws IOException, InterruptedException {
    hosts.get(host).start();
  }

  /** Another machine has the host's address: its key is not the known one. */
  public void replaceKey(String host) throws IOException, InterruptedException {
    stop(host);
    hosts.get(host).makeKey();
    startAgain(host);
  }

  /** Cuts all connections to the host; what runs by them goes on. */
  public void cut(String host) {
    List<ProcessHandle> sessions = hosts.get(host).sessions();
    sessions.forEach(ProcessHandle::destroyForcibly);
    sessions.forEach(session -> session.onExit().join());
  }

  /** All connections to the host answer no more, for good, and are not closed. */
  public void freeze(String host) throws IOException, InterruptedException {
    for (ProcessHandle session : hosts.get(host).sessions()) {
      run("kill", "-STOP", String.valueOf(session.pid()));
    }
  }

  /** Ends all that runs on the host, its sshd too, as when the power fails. */
  public void kill(String host) throws IOException, InterruptedException {
    hosts.get(host).kill();
  }

  /** Ends all that runs on the hosts, and removes their folders. */
  @Override
  public void close() throws IOException {
    cleaner.getOutputStream().close();
    try {
      if (!cleaner.waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the hosts below " + folder + " do not end");
      }
    } catch (InterruptedException e) {
      // They end all the same.
      Thread.currentThread().interrupt();
    }
  }
}
