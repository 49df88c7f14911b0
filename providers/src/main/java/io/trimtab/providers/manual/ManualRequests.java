package io.trimtab.providers.manual;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.NodeNames;
import io.trimtab.providers.ProviderContext;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests to a person, as files in a provider's folder: they outlive the controller. A file is
 * replaced as a whole, and read by this user only. What a person answers is in a file of its own,
 * so that two processes never write the same one.
 */
public final class ManualRequests {
  private static final String REQUEST = ".request.json";
  private static final String JOINED = ".joined";
  private static final String RESTART = ".restart.json";
  private static final String PROFILE = ".profile.json";
  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final Path folder;

  /**
   * @param folder of the provider, see {@link ProviderContext#place()}; the first request makes it
   */
  public ManualRequests(Path folder) {
    this.folder = folder;
  }

  /** What a person is still to do, one line each, oldest first. */
  public List<String> open() throws EngineException {
    return all().stream()
        .filter(request -> request.node() == null)
        .map(request -> line(request) + (request.expired() ? "; its plan has given up" : ""))
        .toList();
  }

  static String line(ManualRequest request) {
    return "request " + request.id() + ": " + request.text();
  }

  /**
   * A person has started the node of a request.
   *
   * @throws UserError if there is no such request, or the node can't be the one
   */
  public void joined(String id, String node) throws EngineException {
    List<ManualRequest> open = all().stream().filter(r -> r.node() == null).toList();
    ManualRequest request =
        open.stream()
            .filter(r -> r.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new UserError(
                        "no request "
                            + id
                            + " is open"
                            + open.stream()
                                .map(ManualRequest::id)
                                .collect(Collectors.joining(", ", "; open: ", ""))
                                .replaceFirst("^; open: $", "")));
    NodeId started;
    try {
      started = NodeNames.parse(node);
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage(), e);
    }
    if (request.before().contains(started.name())) {
      throw new UserError(
          "node "
              + node
              + " was there before request "
              + id
              + "; name the one that was started for it");
    }
    write(file(id, JOINED), started.name().getBytes(StandardCharsets.UTF_8));
  }

  /** What a person has said of a request. */
  Optional<NodeId> said(String id) throws EngineException {
    Path file = file(id, JOINED);
    try {
      return Files.exists(file)
          ? Optional.of(new NodeId(Files.readString(file).strip()))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      throw new EngineException(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  Optional<ManualRequest> find(String id) throws EngineException {
    Path file = file(id, REQUEST);
    return Files.exists(file) ? Optional.of(read(file, ManualRequest.class)) : Optional.empty();
  }

  /** All requests, oldest first. */
  List<ManualRequest> all() throws EngineException {
    List<Path> files;
    try (Stream<Path> listed = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
      files = listed.filter(file -> file.toString().endsWith(REQUEST)).toList();
    } catch (IOException e) {
      throw new EngineException(folder + ": can't be read: " + FileProblem.of(e), e);
    }
    List<ManualRequest> all = new ArrayList<>();
    for (Path file : files) {
      all.add(read(file, ManualRequest.class));
    }
    all.sort(Comparator.comparingLong(ManualRequest::since).thenComparing(ManualRequest::id));
    return all;
  }

  void write(ManualRequest request) throws EngineException {
    write(file(request.id(), REQUEST), json(request));
  }

  /**
   * The restart of a node that somebody waits for, or waited for when the controller died.
   *
   * @param limit of the wait; an older one was given up
   */
  Optional<ManualRestart> restart(NodeId node, Duration limit) throws EngineException {
    Path file = file(node.name(), RESTART);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    ManualRestart asked = read(file, ManualRestart.class);
    long ageMs = System.currentTimeMillis() - asked.since();
    return ageMs < limit.toMillis() ? Optional.of(asked) : Optional.empty();
  }

  void write(NodeId node, ManualRestart asked) throws EngineException {
    write(file(node.name(), RESTART), json(asked));
  }

  /** Nobody waits for the restart of a node any more. */
  void restarted(NodeId node) throws EngineException {
    delete(file(node.name(), RESTART));
  }

  /** What a node's configuration was last to have at its next start; empty if nothing. */
  Optional<Profile> profile(NodeId node) throws EngineException {
    Path file = file(node.name(), PROFILE);
    return Files.exists(file) ? Optional.of(read(file, Profile.class)) : Optional.empty();
  }

  void write(NodeId node, Profile next) throws EngineException {
    write(file(node.name(), PROFILE), json(next));
  }

  /** Forgets what a node's configuration is to have. */
  void forgetProfile(NodeId node) throws EngineException {
    delete(file(node.name(), PROFILE));
  }

  /** Forgets a request; no-op if there is none. */
  void delete(String id) throws EngineException {
    delete(file(id, REQUEST));
    delete(file(id, JOINED));
  }

  private static void delete(Path file) throws EngineException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new EngineException(file + ": can't be removed: " + FileProblem.of(e), e);
    }
  }

  private static byte[] json(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a request can't be written", e);
    }
  }

  private static void write(Path file, byte[] content) throws EngineException {
    Path unused = ProviderContext.made(file.getParent());
    try {
      PrivateFiles.replace(file, content);
    } catch (IOException e) {
      throw new EngineException(file + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  private static <T> T read(Path file, Class<T> type) throws EngineException {
    try {
      return MAPPER.readValue(file.toFile(), type);
    } catch (IOException e) {
      throw new EngineException(file + ": is damaged; remove it: " + firstLine(e), e);
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
  }

  private Path file(String id, String ending) {
    return folder.resolve(URLEncoder.encode(id, StandardCharsets.UTF_8) + ending);
  }
}
