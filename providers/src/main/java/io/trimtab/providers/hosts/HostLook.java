package io.trimtab.providers.hosts;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host as it was found.
 *
 * @param mark whose it is; empty if nobody has marked it
 * @param running whether a node's service runs on it
 * @param cleared whether the data of its last node were moved away, and no node was asked for since
 */
record HostLook(String host, Optional<Mark> mark, boolean running, boolean cleared) {
  private static final Logger LOG = LoggerFactory.getLogger(HostLook.class);
  private static final int AT_ONCE = 8;
  private static final String RUNNING = "running";
  private static final String STOPPED = "stopped";
  private static final String CLEARED = "cleared";
  private static final String MARKED = "marked";

  /** Lines of an answer before those of the mark. */
  private static final int ANSWERS = 3;

  private static final int SHOWN = 100;

  boolean free() {
    return mark.isEmpty() && !running;
  }

  /** The path of a host's mark; a host can have nodes of several ports. */
  static String markFile(HostsSettings settings) {
    return settings.folder() + "/node-" + settings.nodePort();
  }

  /** The path of what the mark becomes when its node's data were moved away. */
  static String clearedFile(HostsSettings settings) {
    return markFile(settings) + ".cleared";
  }

  /**
   * Looks at one host.
   *
   * @throws UnusableAnswerException if what it says makes no sense, its mark included
   */
  static HostLook at(String host, Ssh ssh, Duration limit) throws EngineException {
    HostsSettings settings = ssh.settings();
    String mark = Script.quoted(markFile(settings));
    String cleared = Script.quoted(clearedFile(settings));
    String script =
        new Script()
            .line("if ( " + settings.running() + "\n) </dev/null >/dev/null 2>&1")
            .line("then echo " + RUNNING + "; else echo " + STOPPED + "; fi")
            .line("if test -e " + cleared + "; then echo " + CLEARED + "; else echo -; fi")
            .line("if test -e " + mark + "; then echo " + MARKED + "; cat " + mark)
            .line("else echo -; fi")
            .toString();
    String title = "host " + host + ", look";
    List<String> lines = ssh.run(host, "look", script, limit).strip().lines().toList();
    boolean running = isFirst(title, lines, 0, RUNNING, STOPPED);
    boolean wasCleared = isFirst(title, lines, 1, CLEARED, "-");
    boolean marked = isFirst(title, lines, 2, MARKED, "-");
    if (!marked && lines.size() > ANSWERS) {
      throw new UnusableAnswerException(
          title + ": has answered more than was asked for: " + shown(lines.get(ANSWERS)));
    }
    Optional<Mark> its = Optional.empty();
    if (marked) {
      // All of the rest: of more than one mark nobody knows which one is meant.
      String rest = String.join("\n", lines.subList(ANSWERS, lines.size()));
      its = Optional.of(read(host, settings, rest));
    }
    return new HostLook(host, its, running, wasCleared);
  }

  /** A host's mark, as the host tells it. */
  static Mark read(String host, HostsSettings settings, String told) throws EngineException {
    return Mark.read("host " + host + ": " + markFile(settings), told);
  }

  /** Whether a line is the first of two words; it must be one of them. */
  private static boolean isFirst(
      String title, List<String> lines, int index, String first, String second)
      throws EngineException {
    if (index >= lines.size()) {
      throw new UnusableAnswerException(
          title
              + ": has answered "
              + (index == 0 ? "nothing" : "less than was asked for: " + shown(lines.get(0))));
    }
    String line = lines.get(index);
    if (!line.equals(first) && !line.equals(second)) {
      throw new UnusableAnswerException(title + ": has answered: " + shown(line));
    }
    return line.equals(first);
  }

  /**
   * Looks at all hosts. One that is down, does not answer in time, does not let us in or fails is
   * left out, and told in the log: that may pass by itself, the others can be used meanwhile, and a
   * request that was begun on it begins on no other ({@link HostNotes}). One that answers what
   * makes no sense is not left out. That does not pass by itself, it may have the mark of the very
   * request, and that no host is free would send whoever is to mend it to the wrong place.
   *
   * @throws UnusableAnswerException of the first host that answers so
   */
  static List<HostLook> all(Ssh ssh) throws EngineException {
    List<String> hosts = ssh.settings().hosts();
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_ONCE, hosts.size()));
    try {
      List<Callable<HostLook>> looks = new ArrayList<>();
      for (String host : hosts) {
        looks.add(() -> at(host, ssh, ssh.settings().limit()));
      }
      List<HostLook> found = new ArrayList<>();
      for (Future<HostLook> look : threads.invokeAll(looks)) {
        try {
          found.add(look.get());
        } catch (ExecutionException e) {
          if (e.getCause() instanceof UnusableAnswerException senseless) {
            throw senseless;
          }
          if (!(e.getCause() instanceof EngineException)) {
            throw new IllegalStateException("a look at a host has failed", e);
          }
          LOG.warn("not looked at: {}", e.getCause().getMessage());
        }
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted: a look at all hosts", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Words of a host, shortened, for a line of a message. */
  static String shown(String words) {
    String line = words.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    return line.substring(0, Math.min(SHOWN, line.length()));
  }
}
