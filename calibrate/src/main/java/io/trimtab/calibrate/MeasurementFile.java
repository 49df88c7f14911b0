package io.trimtab.calibrate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.config.WholeFile;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.lab.process.Isolation;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel.Measurement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Measurements of a build, kept in a file after each, so that an interruption loses one a node.
 * Thread-safe.
 */
public final class MeasurementFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the file names the nodes' fingerprint by, beside the kinds of measurements. */
  private static final String NODE = "node";

  private final Path file;
  private final Map<String, List<Measurement>> measured;

  /** Fingerprint of the nodes; empty in older files. */
  private Map<String, String> node = new TreeMap<>();

  private MeasurementFile(Path file, Map<String, List<Measurement>> measured) {
    this.file = file;
    this.measured = measured;
  }

  /** Stores nothing. */
  public static MeasurementFile none() {
    return new MeasurementFile(null, new TreeMap<>());
  }

  /**
   * @param resume whether to go on with what the file holds; else there must be none
   */
  public static MeasurementFile of(Path file, boolean resume) {
    if (!resume && Files.exists(file)) {
      throw new UserError(
          file + ": left by an interrupted build; continue with --resume, or delete the file");
    }
    if (!Files.exists(file)) {
      return new MeasurementFile(file, new TreeMap<>());
    }
    try {
      return read(file);
    } catch (JsonProcessingException e) {
      throw new UserError(
          file + ": not the file of an interrupted build: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  private static MeasurementFile read(Path file) throws IOException {
    Map<String, JsonNode> all = JSON.readValue(Files.readString(file), new TypeReference<>() {});
    MeasurementFile read = new MeasurementFile(file, new TreeMap<>());
    for (Map.Entry<String, JsonNode> part : all.entrySet()) {
      if (part.getKey().equals(NODE)) {
        read.node =
            JSON.readerFor(new TypeReference<TreeMap<String, String>>() {})
                .readValue(part.getValue());
      } else {
        List<Measurement> some =
            JSON.readerFor(new TypeReference<List<Measurement>>() {}).readValue(part.getValue());
        read.measured.put(part.getKey(), new ArrayList<>(some));
      }
    }
    return read;
  }

  /** Of one kind so far. */
  public synchronized List<Measurement> of(String kind) {
    return List.copyOf(measured.getOrDefault(kind, List.of()));
  }

  synchronized void add(String kind, Measurement measurement) {
    measured.computeIfAbsent(kind, k -> new ArrayList<>()).add(measurement);
    if (file == null) {
      return;
    }
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Map<String, Object> all = new TreeMap<>(measured);
      if (!node.isEmpty()) {
        all.put(NODE, node);
      }
      WholeFile.replace(file, JSON.writeValueAsBytes(all));
    } catch (IOException e) {
      throw new UncheckedIOException(file + " can't be written", e);
    }
  }

  /**
   * Refuses measurements whose I/O wait is of another kind: the same load would use something else,
   * and a model of both would be of neither.
   *
   * @param waitSource name of what the I/O wait of the nodes at hand is computed from
   * @throws UserError if there is such a measurement
   */
  synchronized void require(String waitSource) {
    measured.values().stream()
        .flatMap(List::stream)
        .map(Measurement::waitSource)
        .filter(source -> !source.equals(waitSource))
        .findFirst()
        .ifPresent(
            source -> {
              throw new UserError(
                  "%s: has measurements with I/O wait from %s, here it is from %s%s"
                      .formatted(
                          file == null ? "this build" : file,
                          WaitSource.text(source),
                          WaitSource.text(waitSource),
                          file == null ? "" : "; delete the file to measure all of it"));
            });
  }

  /**
   * Refuses measurements of another kind of node, of which a model would be of neither.
   *
   * @param its fingerprint of the node at hand, which further measurements are of
   * @throws UserError if there are measurements of another one
   */
  synchronized void requireNode(Map<String, String> its) {
    if (!measured.isEmpty() && node.isEmpty()) {
      throw new UserError(
          file + ": does not tell which node was measured; delete the file to measure all of it");
    }
    if (!measured.isEmpty() && its.containsKey(NodeKind.DISK.key())) {
      // Files of before disks in memory do not tell it.
      node.putIfAbsent(NodeKind.DISK.key(), Isolation.MACHINES_DISK);
    }
    Optional<NodeKind.Difference> other =
        measured.isEmpty() ? Optional.empty() : NodeKind.difference(node, its);
    if (other.isPresent()) {
      throw new UserError(
          ("%s: has measurements of a node with %s, this one has %s;"
                  + " delete the file to measure all of it")
              .formatted(file, other.get().measured(), other.get().its()));
    }
    node = new TreeMap<>(its);
  }

  public synchronized int size() {
    return measured.values().stream().mapToInt(List::size).sum();
  }

  /** Removes the measurements: the model is complete, and there is nothing to resume. */
  public void forget() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
