package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.testkit.secrets.TextForms;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.security.auth.kerberos.KerberosKey;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;

/** What nobody but a secure lab's owner may see, and where it is looked for. */
public record Secrets(List<String> texts) {
  private static final String REALM = "@TRIMTAB.LAB";

  /** Whose keys are in a lab's keytabs. */
  private static final Map<String, List<String>> PRINCIPALS =
      Map.of(
          "trimtab.keytab", List.of("trimtab"),
          "operator.keytab", List.of("operator"),
          "services.keytab", List.of("hdfs/lab", "hbase/lab", "zookeeper/lab"));

  /** All passwords of a lab's folder, and the keys of its keytabs: as they are, and in hex. */
  public static Secrets of(Path folder) throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".password") && !name.startsWith("jmxremote")) {
          texts.add(Files.readString(file).strip());
        }
        for (String principal : PRINCIPALS.getOrDefault(name, List.of())) {
          texts.addAll(keys(file.toFile(), principal));
        }
      }
    }
    assertThat(texts).as("secrets in %s", folder).isNotEmpty().noneMatch(String::isBlank);
    return new Secrets(List.copyOf(texts));
  }

  /** That of all key stores of a lab's folder. */
  static String storePassword(Path folder) throws IOException {
    return Files.readString(folder.resolve("store.password")).strip();
  }

  private static List<String> keys(File keytab, String name) {
    List<String> texts = new ArrayList<>();
    for (KerberosKey key :
        KeyTab.getUnboundInstance(keytab).getKeys(new KerberosPrincipal(name + REALM))) {
      texts.add(new String(key.getEncoded(), StandardCharsets.ISO_8859_1));
      texts.add(HexFormat.of().formatHex(key.getEncoded()));
    }
    assertThat(texts).as("keys of %s in %s", name, keytab).isNotEmpty();
    return texts;
  }

  private boolean in(String text) {
    return texts.stream().anyMatch(text::contains);
  }

  /**
   * Looks into every file below a folder.
   *
   * @param kept folders and names of files where a lab or a database keeps them itself
   * @return the files that were looked into
   */
  public List<Path> assertNotBelow(Path folder, Set<Path> kept) throws IOException {
    List<Path> searched = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            return kept.contains(inner) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !kept.contains(file.getFileName())) {
              searched.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path inner, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    for (Path file : searched) {
      Optional<String> text = text(file);
      assertThat(text.filter(this::in)).as("a secret in %s", file).isEmpty();
    }
    return searched;
  }

  /** Empty of a file that is gone, as rolled logs and ended processes are. */
  private static Optional<String> text(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Looks at the text form of every object that others lead to.
   *
   * @param among classes that are to be among them, so that it is known how far this looks
   */
  public void assertNotShownBy(List<?> objects, String... among) {
    TextForms forms = TextForms.of(objects, texts);
    assertThat(forms.classes()).contains(among);
    assertThat(forms.showing()).as("classes that show a secret").isEmpty();
  }

  /** Looks at the command lines of all processes of this machine until it is closed. */
  public Watch watchCommandLines() {
    return new Watch(this);
  }

  /** See {@link #watchCommandLines}; closing it fails if one has had a secret in it. */
  public static final class Watch implements AutoCloseable {
    private static final long PAUSE_MS = 30;

    private final Secrets secrets;
    private final Set<String> shown = ConcurrentHashMap.newKeySet();
    private final Set<String> programs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger looks = new AtomicInteger();
    private final Thread thread;
    private volatile boolean ended;

    private Watch(Secrets secrets) {
      this.secrets = secrets;
      this.thread = new Thread(this::look, "command-lines");
      thread.setDaemon(true);
      thread.start();
    }

    /** The JDK's own list leaves arguments out where a line is longer than 4 KiB. */
    private void look() {
      while (!ended) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
          for (Path process : all) {
            Optional<String> line = text(process.resolve("cmdline"));
            line.ifPresent(l -> programs.add(l.split("\0", 2)[0]));
            line.filter(secrets::in).ifPresent(l -> shown.add(l.split("\0", 2)[0]));
          }
          looks.incrementAndGet();
          TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
          return;
        } catch (IOException | RuntimeException e) {
          shown.add("the list of processes can't be read: " + e);
          return;
        }
      }
    }

    @Override
    public void close() {
      ended = true;
      thread.interrupt();
      assertThat(looks).as("looks at the list of processes").hasPositiveValue();
      assertThat(programs).as("programs that were seen").anyMatch(name -> name.endsWith("java"));
      assertThat(shown).as("programs with a secret in their arguments").isEmpty();
    }
  }
}
