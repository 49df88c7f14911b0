package io.trimtab.providers.hosts;

import io.trimtab.engineapi.EngineException;
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

  /** Looks at one host. */
  static HostLook at(String host, Ssh ssh, Duration limit) throws EngineException {
    HostsSettings settings = ssh.settings();
    String mark = Script.quoted(markFile(settings));
    String cleared = Script.quoted(clearedFile(settings));
    String script =
        new Script()
            .line("if ( " + settings.running() + "\n) </dev/null >/dev/null 2>&1")
            .line("then echo " + RUNNING + "; else echo " + STOPPED + "; fi")
            .line("if test -e " + cleared + "; then echo " + CLEARED + "; else echo -; fi")
            .line("if test -e " + mark + "; then cat " + mark + "; fi")
            .toString();
    List<String> lines = ssh.run(host, "look", script, limit).strip().lines().toList();
    if (lines.isEmpty()) {
      throw new EngineException("host " + host + ", look: has not answered");
    }
    String first = lines.get(0);
    if (lines.size() < 2 || !(first.equals(RUNNING) || first.equals(STOPPED))) {
      String shown = first.substring(0, Math.min(SHOWN, first.length()));
      throw new EngineException("host " + host + ", look: has answered: " + shown);
    }
    String where = "host " + host + ": " + markFile(settings);
    return new HostLook(
        host,
        lines.size() < 3 ? Optional.empty() : Optional.of(Mark.read(where, lines.get(2))),
        first.equals(RUNNING),
        lines.get(1).equals(CLEARED));
  }

  /** Looks at all hosts; those that can't be looked at are left out, and told in the log. */
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
}
