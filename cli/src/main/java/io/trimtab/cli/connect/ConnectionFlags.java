package io.trimtab.cli.connect;

import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.Connection;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options that say for once what a file of connections says of a cluster: its keys, with the same
 * checks. An option has its key's name: {@code cql.tls.trustStore} is {@code
 * --cql-tls-trust-store}. Passwords are references here, too.
 */
public final class ConnectionFlags {
  private static final String REFERENCE = "env:NAME, file:PATH or command:LINE";

  private final String database;
  private final CommandSpec spec = CommandSpec.create();

  /** Both by key. */
  private final Map<String, String> options = new LinkedHashMap<>();

  private final Map<String, Object> values = new LinkedHashMap<>();

  /**
   * @param database the key of a connection under which all the others are
   */
  public ConnectionFlags(String database) {
    this.database = database;
  }

  /** Adds an option that addresses the cluster and has a name of its own. */
  public ConnectionFlags address(String option, String key, String label, String description) {
    return add(option, key, String.class, label, description);
  }

  /** Adds a text. */
  public ConnectionFlags text(String key, String label, String description) {
    return add(option(key), key, String.class, label, description);
  }

  /** Adds a whole number. */
  public ConnectionFlags number(String key, String label, String description) {
    return add(option(key), key, Integer.class, label, description);
  }

  /** Adds a choice of true and false. */
  public ConnectionFlags choice(String key, String description) {
    return add(option(key), key, Boolean.class, "true|false", description);
  }

  /** Adds where a password is. */
  public ConnectionFlags secret(String key, String description) {
    return text(key, "REF", description + ": " + REFERENCE + ".");
  }

  /**
   * Adds what TLS needs.
   *
   * @param group of keys that has it
   * @param what is protected, for the help
   */
  public ConnectionFlags tls(String group, String what) {
    String tls = group + ".tls.";
    return text(tls + "trustStore", "FILE", "TLS for " + what + ": whom to trust (PKCS #12, JKS).")
        .secret(tls + "trustPassword", "Password of that store")
        .text(tls + "keyStore", "FILE", "TLS for " + what + ": own key and certificate.")
        .secret(tls + "keyPassword", "Password of that store and its key")
        .text(
            tls + "hostNames",
            "HOW",
            "TLS for " + what + ": a certificate must name the address (default), dns or none.");
  }

  private ConnectionFlags add(
      String option, String key, Class<?> type, String label, String description) {
    options.put(key, option);
    spec.addOption(
        OptionSpec.builder(option)
            .paramLabel(label)
            .description(description)
            .type(type)
            .arity("1")
            .setter(into(key))
            .build());
    return this;
  }

  private ISetter into(String key) {
    return new ISetter() {
      @Override
      public <T> T set(T value) {
        // Before it parses, picocli sets what is not given.
        if (value == null) {
          values.remove(key);
        } else {
          values.put(key, value);
        }
        return value;
      }
    };
  }

  private static String option(String key) {
    String dashes = key.replace('.', '-').replaceAll("[A-Z]", "-$0");
    return "--" + dashes.toLowerCase(Locale.ROOT);
  }

  /** For picocli. */
  public CommandSpec options() {
    return spec;
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** Takes a value for a key that is not given. */
  public void orElse(String key, String value) {
    values.putIfAbsent(key, value);
  }

  /**
   * For a command line that does not address a cluster of this kind.
   *
   * @param addresses the options that would, for the message
   * @throws UserError if other options of it are given
   */
  public void refuseAny(String addresses) {
    values.keySet().stream()
        .findFirst()
        .ifPresent(
            key -> {
              throw new UserError(options.get(key) + " goes with " + addresses + " only");
            });
  }

  /**
   * The cluster; nothing is contacted and no password read. Relative paths are taken from the
   * current folder.
   *
   * @param address the key that addresses it
   * @throws UserError naming the option
   */
  public ClusterHandle cluster(String address) {
    Connection connection = connection();
    Path folder = Path.of("").toAbsolutePath();
    String label = values.get(address).toString();
    try {
      return new DatabaseTarget(folder).handle(label, connection, Optional.empty());
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      String key = message.split("[ :]", 2)[0];
      String said =
          options.containsKey(key)
              ? options.get(key) + message.substring(key.length())
              : options.get(address) + ": " + message;
      throw new UserError(said, e);
    }
  }

  private Connection connection() {
    Map<String, Object> keys = new LinkedHashMap<>();
    values.forEach((key, value) -> put(keys, key, value));
    return StrictYaml.of(Map.of(database, keys), this::words, Connection.class);
  }

  @SuppressWarnings("unchecked") // groups are made here only
  private static void put(Map<String, Object> group, String key, Object value) {
    int dot = key.indexOf('.');
    if (dot < 0) {
      group.put(key, value);
    } else {
      Object inner = group.computeIfAbsent(key.substring(0, dot), k -> new LinkedHashMap<>());
      put((Map<String, Object>) inner, key.substring(dot + 1), value);
    }
  }

  private String words(String path, String problem) {
    String key = path.startsWith(database + ".") ? path.substring(database.length() + 1) : "";
    String group = key.isEmpty() ? database : key;
    return options.getOrDefault(key, group) + ": " + inOptions(key, problem);
  }

  /** A problem with the keys that it names, beside and below one, as their options. */
  private String inOptions(String key, String problem) {
    String said = problem;
    for (Map.Entry<String, String> option : options.entrySet()) {
      String group = group(option.getKey());
      if (group.equals(key) || group.equals(group(key))) {
        String name = option.getKey().substring(option.getKey().lastIndexOf('.') + 1);
        // Neither a part of another option, nor the password as such.
        said = said.replaceAll("(?<!the )(?<![\\w-])" + name + "\\b", option.getValue());
      }
    }
    return said;
  }

  private static String group(String key) {
    return key.contains(".") ? key.substring(0, key.lastIndexOf('.')) : "";
  }
}
