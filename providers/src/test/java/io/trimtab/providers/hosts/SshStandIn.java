package io.trimtab.providers.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Three hosts of this machine without an sshd. A stand-in for ssh gives each one a folder of its
 * own under a test's, in the place of /host. As a real one does, it ends when nothing holds the
 * script's output and errors any more. A file beside a host's folder has the host misbehave:
 *
 * <ul>
 *   <li>{@code h1.down}, {@code h1.silent}: nobody reaches it
 *   <li>{@code h1.locked}: it lets nobody in, as an account without a shell
 *   <li>{@code h1.lost}: the connection is lost instead of a mark set
 *   <li>{@code h1.says}: it answers this, whatever it is to run
 *   <li>{@code h1.marks}: it answers this once it was to set a mark, and has
 *   <li>{@code h1.then}: as {@code h1.says}, from the start of its service on
 * </ul>
 */
final class SshStandIn {
  static final List<String> HOSTS = List.of("h1", "h2", "h3");

  /**
   * As systemctl does, it starts no second service. With a file {@code slow} it takes its time
   * before the service runs, with {@code held} after that.
   */
  private static final String START =
      "exec 9>/host/lock; flock 9;"
          + " test -e /host/pid && kill -0 $(cat /host/pid) 2>/dev/null && exit 0;"
          + " test -e /host/slow && { touch /host/starting; sleep 2; };"
          + " cp /host/site /host/used; echo started >> /host/starts;"
          + " setsid sleep 1000 9>&- & echo $! > /host/pid;"
          + " test -e /host/held && { touch /host/started; sleep 2; };"
          + " test -e /host/../$HOST.then && mv /host/../$HOST.then /host/../$HOST.says; true";

  private SshStandIn() {}

  /** Makes the hosts, and what the settings name. */
  static void install(Path home) throws IOException {
    Path ssh = home.resolve("ssh");
    Files.writeString(
        ssh,
        """
        #!/bin/sh
        for word; do host=$last; last=$word; done
        echo "$*" >> %1$s/ssh.log
        test -e %1$s/$host.down && { echo "connect to $host: no route" >&2; exit 255; }
        test -e %1$s/$host.silent && exit 255
        test -e %1$s/$host.locked && { echo "This account is not available."; exit 1; }
        test -e %1$s/$host.says && { cat >/dev/null; cat %1$s/$host.says; exit 0; }
        run=%1$s/run.$$
        sed "s#/host/#%1$s/$host/#g" > $run
        test -e %1$s/$host.lost && grep -q '^ln ' $run && exit 255
        test -e %1$s/$host.marks && grep -q '^ln ' $run && { sh $run >/dev/null; rm $run; \
        cat %1$s/$host.marks; exit 0; }
        { { { sh -s < $run 2>&1 1>&3 3>&-; echo $? > $run; } | cat >&2; } 3>&1; } | cat
        code=$(cat $run)
        rm -f $run
        exit $code
        """
            .formatted(home));
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    for (String host : HOSTS) {
      Files.createDirectories(home.resolve(host));
    }
    Files.writeString(home.resolve("known_hosts"), "");
    HostsContract.writeTemplates(home);
  }

  /**
   * Settings of all hosts.
   *
   * @param retire the command; null: none
   */
  static HostsSettings settings(Path home, String retire) {
    return new HostsSettings(
            HOSTS,
            HostsContract.PORT,
            null,
            null,
            null,
            "known_hosts",
            home.resolve("ssh").toString(),
            START,
            "kill $(cat /host/pid); while kill -0 $(cat /host/pid) 2>/dev/null;"
                + " do sleep 0.05; done",
            "test -e /host/pid && kill -0 $(cat /host/pid)",
            retire,
            "/host/marks",
            Map.of("/host/site", "site.template"),
            Map.of("/host/regionservers", "peers.template"),
            null,
            null,
            Duration.ZERO,
            null,
            null)
        .in(home);
  }

  /** Where a host has its mark. */
  static Path mark(Path home, String host) {
    return home.resolve(host).resolve("marks").resolve("node-" + HostsContract.PORT);
  }

  /** Gives a host a mark, as somebody else may. */
  static void mark(Path home, String host, String text) throws IOException {
    Path file = mark(home, host);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** A mark that makes sense. */
  static String text(String cluster, String request) {
    return new Mark(cluster, request, 1, Profile.READ, List.of(), "", false).text() + "\n";
  }
}
