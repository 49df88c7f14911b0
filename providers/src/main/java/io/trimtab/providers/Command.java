package io.trimtab.providers;

import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program to its end. Its input and output are files and not pipes: a node that it starts
 * may keep them open for as long as it runs, and a program that does not read its input is not
 * waited for.
 */
public final class Command {
  private static final Logger LOG = LoggerFactory.getLogger(Command.class);

  /** More than any answer or list of nodes needs. */
  private static final int BYTES_MAX = 1 << 20;

  private static final int WORDS_MAX = 500;
  private static final int LINES = 3;
  private static final Duration TO_END = Duration.ofSeconds(5);

  private Command() {}

  /**
   * How a program ended.
   *
   * @param code its exit code
   * @param out its standard output
   * @param lastWords the end of its standard error, in one line; empty, or begins with ": "
   */
  public record Result(int code, String out, String lastWords) {}

  /**
   * Runs a program.
   *
   * @param title for messages and the log, which show neither its arguments nor its input
   * @throws EngineException if it can't be started, or does not end within the limit
   */
  public static Result run(String title, List<String> command, String input, Duration limit)
      throws EngineException {
    Path in = null;
    Path out = null;
    Path err = null;
    try {
      // All three are for this user only.
      in = Files.createTempFile("trimtab-provider", ".in");
      Files.writeString(in, input);
      out = Files.createTempFile("trimtab-provider", ".out");
      err = Files.createTempFile("trimtab-provider", ".err");
      Process process =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      if (!ended(process, limit, title)) {
        throw new EngineException(
            title + ": no answer within " + limit.toSeconds() + " s" + lastWords(err));
      }
      Result result = new Result(process.exitValue(), output(title, out), lastWords(err));
      LOG.info("{} ended with exit code {}{}", title, result.code(), result.lastWords());
      return result;
    } catch (IOException e) {
      throw new EngineException(title + ": can't be run: " + e.getMessage(), e);
    } finally {
      delete(in);
      delete(out);
      delete(err);
    }
  }

  /** Whether it ended by itself. */
  private static boolean ended(Process process, Duration limit, String title)
      throws EngineException {
    try {
      if (process.waitFor(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS)) {
        return true;
      }
      end(process);
      return false;
    } catch (InterruptedException e) {
      end(process);
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted: " + title, e);
    }
  }

  private static String output(String title, Path out) throws IOException, EngineException {
    if (Files.size(out) > BYTES_MAX) {
      throw new EngineException(
          title + ": its answer has " + Files.size(out) + " bytes, more than " + BYTES_MAX);
    }
    return new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
  }

  /** First in a way that lets it note what it has begun. */
  private static void end(Process process) {
    // Before its end: afterwards nothing tells whose they were.
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }

  private static String lastWords(Path err) throws IOException {
    String text;
    try (InputStream in = Files.newInputStream(err)) {
      in.skipNBytes(Math.max(0, Files.size(err) - 16 * WORDS_MAX));
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> lines = text.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    int first = Math.max(0, lines.size() - LINES);
    String last = String.join(" / ", lines.subList(first, lines.size()));
    String shown = last.substring(Math.max(0, last.length() - WORDS_MAX));
    return shown.isEmpty() ? "" : ": " + shown.replaceAll("\\p{Cntrl}", " ");
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.info("{} is left", file, e);
    }
  }
}
