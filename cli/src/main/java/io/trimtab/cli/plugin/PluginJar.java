package io.trimtab.cli.plugin;

import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.clikit.ClassFiles;
import io.trimtab.config.FileProblem;
import io.trimtab.config.Home;
import io.trimtab.config.UserError;
import io.trimtab.hbase.PluginInstall;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.plugincore.SplitTracker;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** One jar with all that a database needs of its plug-in: one file for an operator to copy. */
enum PluginJar {
  HBASE(
      "trimtab-hbase-plugin.jar",
      PluginInstall.ENDPOINT,
      NodeProtocol.class.getName(),
      SplitTracker.class.getName(),
      "org.apache.datasketches.kll.KllLongsSketch",
      "org.apache.datasketches.memory.Memory"),
  CASSANDRA("trimtab-cassandra-plugin.jar", RankingPlugin.SNITCH, ReplicaRanking.class.getName());

  private final String file;

  /** A class of each part, by name: those for a server can't be loaded without its jars. */
  private final List<String> parts;

  PluginJar(String file, String... parts) {
    this.file = file;
    this.parts = List.of(parts);
  }

  /** Writes it anew into {@link Home}. */
  Path write() {
    return write(Home.folder().resolve("plugin").resolve(file));
  }

  Path write(Path jar) {
    try {
      Files.createDirectories(jar.getParent());
      Path fresh = Files.createTempFile(jar.getParent(), "plugin", ".jar");
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(fresh), manifest())) {
        Set<String> names = new HashSet<>();
        for (String part : parts) {
          add(ClassFiles.of(part), out, names);
        }
      }
      Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
      return jar;
    } catch (IOException e) {
      throw new UserError(jar + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    String version = NodeProtocol.class.getPackage().getImplementationVersion();
    main.put(Attributes.Name.IMPLEMENTATION_VERSION, version == null ? "unpackaged" : version);
    return manifest;
  }

  private static void add(Path source, JarOutputStream out, Set<String> names) throws IOException {
    if (Files.isDirectory(source)) {
      try (Stream<Path> files = Files.walk(source)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          try (InputStream in = Files.newInputStream(file)) {
            entry(source.relativize(file).toString(), in, out, names);
          }
        }
      }
      return;
    }
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(source))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entry(entry.getName(), in, out, names);
      }
    }
  }

  /** Licences and notices of all parts stay; manifests and module descriptors are for one part. */
  private static void entry(String name, InputStream in, JarOutputStream out, Set<String> names)
      throws IOException {
    boolean part =
        name.endsWith(".class") && !name.endsWith("module-info.class")
            || name.matches("META-INF/(LICENSE|NOTICE|DEPENDENCIES).*");
    if (part && names.add(name)) {
      out.putNextEntry(new ZipEntry(name));
      in.transferTo(out);
      out.closeEntry();
    }
  }
}
