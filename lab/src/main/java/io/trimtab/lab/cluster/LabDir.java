package io.trimtab.lab.cluster;

import io.trimtab.config.Home;
import java.nio.file.Path;

/** Where a lab keeps what. */
public record LabDir(Path root) {
  /** A folder of the kernel's whose files are memory. */
  public static final Path SHARED_MEMORY = Path.of("/dev/shm");

  static Path labs() {
    return Home.folder().resolve("labs");
  }

  static LabDir of(String name) {
    return new LabDir(labs().resolve(name));
  }

  Path state() {
    return root.resolve("state.json");
  }

  public Path script() {
    return root.resolve("lab.sh");
  }

  public Path run() {
    return root.resolve("run");
  }

  public Path pid(String process) {
    return run().resolve(process + ".pid");
  }

  /** The process that started the lab, in the form of a pid file that {@code clean} passes by. */
  Path owner() {
    return run().resolve("owner");
  }

  /** Every control group ever made for this lab, a folder a line. */
  Path cgroups() {
    return run().resolve("cgroups");
  }

  /** Tells where the lab's bucket caches are, see {@link LabState#memory}. */
  Path memory() {
    return run().resolve("memory");
  }

  /** Tells where it is noted which switch of the kernel is turned off after the last lab. */
  Path delayAccounting() {
    return run().resolve("delay-accounting");
  }

  /** Tells the guard that the lab stays when its starter ends. */
  Path keep() {
    return run().resolve("keep");
  }

  public Path conf(String process) {
    return root.resolve("conf").resolve(process);
  }

  public Path data(String process) {
    return root.resolve("data").resolve(process);
  }

  /**
   * Where {@link #data} of a removed node's process is kept; indexes of nodes are not used again.
   */
  public Path retired(String process) {
    return root.resolve("data").resolve(process + ".out-of-use");
  }

  public Path tmp(String process) {
    return root.resolve("tmp").resolve(process);
  }

  Path logs() {
    return root.resolve("logs");
  }

  public Path log(String process) {
    return logs().resolve(process + ".log");
  }

  /** What the process printed to standard output and error. */
  public Path out(String process) {
    return logs().resolve(process + ".out");
  }

  /** What its garbage collector did, a line each time. */
  public Path garbage(String process) {
    return logs().resolve(process + ".gc");
  }

  /** Keys, passwords and the file of connections of a secure lab; only its user may look. */
  public Path secure() {
    return root.resolve("secure");
  }

  /** Empty folders in place of the web pages that the jars lack; without them no /jmx. */
  Path web() {
    return root.resolve("web");
  }

  /** DataNodes that leave, for the NameNode. */
  public Path excludes() {
    return root.resolve("conf").resolve("excludes");
  }
}
