package io.trimtab.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Where a password is: {@code env:NAME}, an environment variable; {@code file:PATH}, the first line
 * of a file that only its owner may use; {@code command:LINE}, the first line that a shell command
 * prints. What is written in a configuration file is this reference, never the password. It is read
 * anew each time that it is needed, so that it can be changed without a restart, and is kept
 * nowhere.
 */
public final class Secret {
  private static final long COMMAND_LIMIT_S = 30;
  private static final String FORMS = "must be env:NAME, file:PATH or command:LINE";

  private enum Kind {
    ENV,
    FILE,
    COMMAND
  }

  private final Kind kind;
  private final String place;

  private Secret(Kind kind, String place) {
    this.kind = kind;
    this.place = place;
  }

  /**
   * Parses a reference.
   *
   * @throws IllegalArgumentException if it is none; the text, which may be a password that somebody
   *     has written there, is not in the message
   */
  public static Secret parse(String text) {
    String reference = text.strip();
    for (Kind kind : Kind.values()) {
      String prefix = kind.name().toLowerCase(Locale.ROOT) + ":";
      if (reference.startsWith(prefix) && reference.length() > prefix.length()) {
        return new Secret(kind, reference.substring(prefix.length()).strip());
      }
    }
    throw new IllegalArgumentException(FORMS + ", never the password itself");
  }

  /** The same, with a file's path that is relative taken from a folder. */
  public Secret in(Path folder) {
    return kind == Kind.FILE ? new Secret(kind, folder.resolve(place).toString()) : this;
  }

  /**
   * Reads the password.
   *
   * @throws UserError in one line, if it is not there or others may read it
   */
  public String read() {
    return switch (kind) {
      case ENV -> variable();
      case FILE -> file();
      case COMMAND -> command();
    };
  }

  private String variable() {
    String value = System.getenv(place);
    if (value == null || value.isEmpty()) {
      throw new UserError("the environment variable " + place + " is not set");
    }
    return value;
  }

  private String file() {
    Path file = Path.of(place);
    PrivateFiles.requireOwnersOnly("the password's file", file);
    try {
      return firstLine(Files.readString(file), file + ": has no password");
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  /** What it says on its standard error is dropped: it may repeat what it was given. */
  private String command() {
    try {
      Process process =
          new ProcessBuilder("sh", "-c", place)
              .redirectInput(new java.io.File("/dev/null"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return said(process);
      } finally {
        // Nobody waits for it any more, however this ends.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UserError(where() + " can't be run: " + e.getMessage(), e);
    }
  }

  private String said(Process process) {
    CompletableFuture<String> line = line(process);
    try {
      if (!process.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS)) {
        throw new UserError(where() + " has not ended after " + COMMAND_LIMIT_S + " s");
      }
      if (process.exitValue() != 0) {
        throw new UserError(where() + " fails with exit code " + process.exitValue());
      }
      return firstLine(line.get(COMMAND_LIMIT_S, TimeUnit.SECONDS), where() + " prints nothing");
    } catch (ExecutionException | TimeoutException e) {
      throw new UserError(where() + ": what it prints can't be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted", e);
    }
  }

  /** The first line, once it is there. The rest is read, too: a full pipe would stop a program. */
  private static CompletableFuture<String> line(Process process) {
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                String first = out.readLine();
                line.complete(first == null ? "" : first);
                out.transferTo(Writer.nullWriter());
              } catch (IOException e) {
                line.completeExceptionally(e);
              }
            },
            "secret-reader");
    reader.setDaemon(true);
    reader.start();
    return line;
  }

  private static String firstLine(String text, String missing) {
    return text.lines()
        .findFirst()
        .filter(line -> !line.isEmpty())
        .orElseThrow(() -> new UserError(missing));
  }

  /**
   * Where it is, for messages; of a command only the program, because its arguments may tell, and
   * nothing of one that begins otherwise: a password may be set for it there.
   */
  public String where() {
    return switch (kind) {
      case ENV -> "the environment variable " + place;
      case FILE -> place;
      case COMMAND -> "the password's command" + program();
    };
  }

  private String program() {
    String first = place.split("\\s", 2)[0];
    return first.matches("[\\w./-]+") ? " " + first : "";
  }

  /** Shows nothing. */
  @Override
  public String toString() {
    return "(secret)";
  }

  /** As {@link Units.TextDeserializer}, whose errors would quote the text. */
  static final class Reader extends StdScalarDeserializer<Secret> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(Secret.class);
    }

    @Override
    public Secret deserialize(JsonParser p, DeserializationContext context) throws IOException {
      try {
        return parse(p.getText());
      } catch (IllegalArgumentException e) {
        throw context.weirdStringException("(secret)", Secret.class, e.getMessage());
      }
    }
  }
}
