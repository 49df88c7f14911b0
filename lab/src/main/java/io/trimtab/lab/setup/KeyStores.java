package io.trimtab.lab.setup;

import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A lab's certificates: one of all its nodes, one of its clients, and a store that trusts both. */
record KeyStores(SecretFiles files) {
  static final String PASSWORD = "store.password";
  static final String NODE = "node";
  static final String CLIENT = "client";
  static final String TRUST = "trust";

  /** A copy of the nodes', because HDFS's servers read theirs again when it changes. */
  static final String HDFS = "hdfs";

  /**
   * Makes them, and their password.
   *
   * @param addresses of all nodes that may ever be
   */
  void create(Stream<String> addresses) {
    files.password(PASSWORD);
    String all = addresses.map(address -> "ip:" + address).collect(Collectors.joining(","));
    key(NODE, "san=" + all + ",ip:127.0.0.1,dns:localhost");
    key(CLIENT, "san=dns:localhost");
    for (String name : List.of(NODE, CLIENT)) {
      String certificate = files.file(name + ".cer").toString();
      keytool("-exportcert", "-alias", name, "-keystore", store(name), "-file", certificate);
      keytool(
          "-importcert",
          "-noprompt",
          "-alias",
          name,
          "-file",
          certificate,
          "-keystore",
          store(TRUST));
    }
    try {
      Files.copy(Path.of(store(NODE)), Path.of(store(HDFS)), StandardCopyOption.REPLACE_EXISTING);
      for (String name : List.of(NODE, CLIENT, TRUST, HDFS)) {
        Files.setPosixFilePermissions(Path.of(store(name)), PrivateFiles.PERMISSIONS);
      }
    } catch (IOException e) {
      throw new UserError(files.folder() + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  /** A store's file. */
  String store(String name) {
    return files.file(name + ".p12").toString();
  }

  /** Of all of them. */
  String password() {
    return files.read(PASSWORD);
  }

  /** Of a client that shows its own certificate, and looks at the nodes' addresses. */
  Tls client() {
    return new Tls(Optional.of(opened(TRUST)), Optional.of(opened(CLIENT)), HostNames.ADDRESS);
  }

  private Store opened(String name) {
    return new Store(Path.of(store(name)), this::password);
  }

  private void key(String name, String extension) {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "3650",
        "-dname",
        "CN=" + name + ",O=trimtab-lab",
        "-ext",
        extension,
        "-keystore",
        store(name));
  }

  /** The JDK's own program; the password is in a file, and so in no list of processes. */
  private void keytool(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-storetype", "PKCS12", "-storepass:file", files.file(PASSWORD).toString()));
    Programs.Said said = Programs.run(command, "", Map.of());
    if (said.code() != 0) {
      throw new UserError("keytool " + arguments[0] + ": " + said.firstLine());
    }
  }
}
