package io.trimtab.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.hbase.PluginInstall;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginJarTest {
  @TempDir Path folder;

  /** With nothing but the JDK beside it: an HBase has none of our libraries. */
  @Test
  void itNeedsNothingBesideHBase() throws Exception {
    Path jar = PluginJar.HBASE.write(folder.resolve("plugin.jar"));

    URL[] only = {jar.toUri().toURL()};
    try (URLClassLoader alone = new URLClassLoader(only, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = alone.loadClass("io.trimtab.hbaseplugin.SplitCollector");
      Object collector =
          type.getConstructor(byte[].class, byte[].class).newInstance(new byte[0], new byte[0]);
      var add = type.getMethod("add", byte[].class, int.class, int.class);
      for (int i = 0; i < 5_000; i++) {
        byte[] key = ("row" + (10_000 + i)).getBytes(StandardCharsets.US_ASCII);
        add.invoke(collector, key, 0, key.length);
      }
      Object advice = type.getMethod("advice").invoke(collector);
      assertThat(advice.getClass().getMethod("requests").invoke(advice)).isNotEqualTo(0L);
      assertThat(alone.getResource("io/trimtab/hbaseplugin/ProfileEndpoint.class")).isNotNull();
      assertThat(alone.getResource("io/trimtab/hbasewire/NodeProtocol.class")).isNotNull();
      assertThat(alone.getResource("io/trimtab/hbasecounting/CountingRegionServer.class")).isNull();
    }
    try (JarFile written = new JarFile(jar.toFile())) {
      assertThat(written.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isNotBlank();
      assertThat(written.stream().map(e -> e.getName()))
          .contains("META-INF/LICENSE")
          .noneMatch(name -> name.endsWith("module-info.class"));
    }
  }

  /** What it extends is Cassandra's; the rankings need nothing else. */
  @Test
  void cassandrasHasTheSnitchAndTheRankings() throws Exception {
    Path jar = PluginJar.CASSANDRA.write(folder.resolve("cassandra.jar"));

    URL[] only = {jar.toUri().toURL()};
    try (URLClassLoader alone = new URLClassLoader(only, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = alone.loadClass("io.trimtab.plugincore.ranking.RankingKind");
      assertThat(type.getEnumConstants()).isNotEmpty();
      assertThat(alone.getResource("io/trimtab/cassandraplugin/TrimtabSnitch.class")).isNotNull();
      assertThat(alone.getResource(PluginInstall.ENDPOINT.replace('.', '/') + ".class")).isNull();
    }
  }
}
