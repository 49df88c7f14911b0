package io.trimtab.providers.hosts;

import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * On which host each request was begun, as files in the provider's folder. They are written before
 * the host itself knows: a request whose host can't be asked must not begin on another one.
 */
record HostNotes(Path folder) {
  private static final String ENDING = ".host";

  Optional<String> host(String request) throws EngineException {
    Path file = file(request);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      throw new EngineException(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  void write(String request, String host) throws EngineException {
    Path file = file(request);
    try {
      PrivateFiles.replace(file, host.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new EngineException(file + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  /** Forgets a request; no-op if there is none. */
  void delete(String request) throws EngineException {
    Path file = file(request);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new EngineException(file + ": can't be removed: " + FileProblem.of(e), e);
    }
  }

  /** Forgets all requests of a host, whose node was taken out of use. */
  void forget(String host) throws EngineException {
    try (Stream<Path> listed = Files.list(folder)) {
      for (Path file : listed.filter(f -> f.toString().endsWith(ENDING)).toList()) {
        if (Files.readString(file).strip().equals(host)) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new EngineException(folder + ": can't be cleared: " + FileProblem.of(e), e);
    }
  }

  private Path file(String request) {
    return folder.resolve(URLEncoder.encode(request, StandardCharsets.UTF_8) + ENDING);
  }
}
