package io.trimtab.lab.setup;

import io.trimtab.config.UserError;
import io.trimtab.lab.process.Programs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A realm of Kerberos of a lab's own: MIT's KDC, as Debian's package krb5-kdc has it. */
public final class Kdc {
  private static final String REALM = "TRIMTAB.LAB";
  private static final String TICKETS = "kinit";
  private static final String INSTALL =
      "install it: apt-get install krb5-kdc krb5-admin-server (nothing of it needs to be set up)";
  private static final String INSTALL_TICKETS = "install it: apt-get install krb5-user";

  private static final Pattern FAILURE =
      Pattern.compile("(?m)^(add_principal|modify_principal|ktadd|kadmin\\.local): ");

  private final SecretFiles files;
  private final String host;
  private final int port;

  Kdc(SecretFiles files, String host, int port) {
    this.files = files;
    this.host = host;
    this.port = port;
  }

  /** Kerberos's configuration for clients and servers. */
  public String krb5() {
    return files.file("krb5.conf").toString();
  }

  /** A name with the lab's realm. */
  String principal(String name) {
    return name + "@" + REALM;
  }

  /** Variables of the environment of MIT's programs. */
  public Map<String, String> environment() {
    return Map.of("KRB5_CONFIG", krb5(), "KRB5_KDC_PROFILE", files.file("kdc.conf").toString());
  }

  /** What starts the KDC; it stays in the foreground. */
  public List<String> command() {
    return List.of(program("krb5kdc").toString(), "-n");
  }

  /** Whether the KDC listens. */
  public boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Makes the realm's files and its empty database. */
  void create() {
    program("krb5kdc");
    files.write(
        "krb5.conf",
        """
        [libdefaults]
          default_realm = %1$s
          dns_lookup_realm = false
          dns_lookup_kdc = false
          dns_canonicalize_hostname = false
          rdns = false
          udp_preference_limit = 1
          ticket_lifetime = 24h
          renew_lifetime = 7d

        [realms]
          %1$s = {
            kdc = %2$s:%3$d
          }
        """
            .formatted(REALM, host, port));
    // As Debian's own file has it, a login proves the time to the KDC: a wrong clock is refused.
    files.write(
        "kdc.conf",
        """
        [kdcdefaults]
          kdc_listen = %2$s:%3$d
          kdc_tcp_listen = %2$s:%3$d

        [realms]
          %1$s = {
            database_name = %4$s
            key_stash_file = %5$s
            acl_file = %6$s
            max_life = 24h
            max_renewable_life = 7d
            default_principal_flags = +preauth
            supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
          }
        """
            .formatted(
                REALM,
                host,
                port,
                files.file("principal"),
                files.file("stash"),
                files.file("kadm5.acl")));
    files.write("kadm5.acl", "");
    Path master = files.password("master.password");
    String password = files.read(master.getFileName().toString());
    // It asks twice; as an option it would be in the list of processes.
    run("kdb5_util", List.of("create", "-s", "-r", REALM), password + "\n" + password + "\n");
  }

  /** Adds a principal with random keys, and adds these to a keytab. */
  void add(String name, String keytab) {
    admin("addprinc -randkey " + principal(name));
    admin("ktadd -k " + files.file(keytab) + " " + principal(name));
  }

  /**
   * Limits the life of a principal's tickets.
   *
   * @param life in words of MIT: {@code 1m}, {@code 24h}
   */
  public void limitTickets(String name, String life) {
    admin("modprinc -maxlife " + life + " " + principal(name));
  }

  /**
   * Gets a ticket with a user's keytab and puts it into a cache, in place of what was there.
   *
   * @param life in words of MIT
   * @param renewable how long after now it can be renewed, likewise. A KDC renews one that ended
   *     less than its clock skew ago, five minutes, as well
   */
  public void ticket(String name, Path cache, String life, String renewable) {
    run(
        TICKETS,
        List.of(
            "-k",
            "-t",
            files.file(name + ".keytab").toString(),
            "-c",
            cache.toString(),
            "-l",
            life,
            "-r",
            renewable,
            principal(name)),
        "");
  }

  private void admin(String query) {
    run("kadmin.local", List.of("-r", REALM, "-q", query), "");
  }

  private void run(String program, List<String> arguments, String input) {
    List<String> command = new ArrayList<>();
    command.add(program(program).toString());
    command.addAll(arguments);
    Programs.Said said = Programs.run(command, input, environment());
    // kadmin.local tells failures in words only.
    if (said.code() != 0 || FAILURE.matcher(said.text()).find()) {
      throw new UserError(program + " " + String.join(" ", arguments) + ": " + said.lastLine());
    }
  }

  private static Path program(String name) {
    return Programs.find(name)
        .orElseThrow(
            () ->
                new UserError(
                    "a secure HBase lab needs "
                        + name
                        + "; "
                        + (name.equals(TICKETS) ? INSTALL_TICKETS : INSTALL)));
  }
}
