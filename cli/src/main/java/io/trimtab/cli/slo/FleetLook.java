package io.trimtab.cli.slo;

import io.trimtab.cli.control.FleetFile;
import io.trimtab.cli.control.FleetFile.FleetMember;
import io.trimtab.cli.control.FleetFile.Shared;
import io.trimtab.config.UserError;
import io.trimtab.controller.agreement.Commitment;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.formats.Sla;
import io.trimtab.models.capacity.MachineBudget;
import io.trimtab.models.capacity.MachineBudget.Size;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Memory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a fleet's clusters and journals tell of its agreements and of the machines they share. */
final class FleetLook {
  private final Commitments journals = new Commitments();
  private final Shared shared;
  private final List<Commitment> made = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** The clusters that answer, by name. */
  private final Map<String, ClusterSnapshot> seen = new LinkedHashMap<>();

  /** The agreements of each cluster, by its name. */
  private final Map<String, List<String>> agreements = new LinkedHashMap<>();

  /**
   * Looks at all clusters of a fleet; one that does not answer is told in {@link #notes}.
   *
   * @throws UserError naming the file, if it or one that it names is invalid
   */
  FleetLook(Path file) {
    FleetFile fleet = FleetFile.read(file);
    this.shared = fleet.shared();
    for (FleetMember member : fleet.members()) {
      List<String> names = agreements(member);
      agreements.put(member.name(), names);
      Optional<Memory> memory = look(member);
      for (String name : names) {
        made.add(memory.map(m -> journals.of(name, m.missed())).orElseGet(() -> journals.of(name)));
      }
    }
  }

  private static List<String> agreements(FleetMember member) {
    return Stream.concat(
            Optional.ofNullable(member.settings().slo().sla()).stream(),
            member.settings().slo().also().stream())
        .map(file -> Sla.read(Path.of(file)).name())
        .toList();
  }

  /** What controllers have left with the cluster; empty if it does not tell, or none has acted. */
  private Optional<Memory> look(FleetMember member) {
    try (Engine engine = member.choice().connect()) {
      ClusterSnapshot snapshot = engine.snapshot();
      Optional<Memory> memory = ControlDocuments.read(engine.shared()).memory();
      seen.put(member.name(), snapshot);
      return memory;
    } catch (EngineException e) {
      notes.add(
          "%s does not tell how it is used, and counts as fully used: %s"
              .formatted(member.name(), e.getMessage()));
      return Optional.empty();
    }
  }

  /** The agreements that were made before. */
  List<Commitment> made() {
    return made;
  }

  /** Clusters of which nothing could be asked, one line each. */
  List<String> notes() {
    return notes;
  }

  /** Whether the file says which machines there are. */
  boolean sharesMachines() {
    return !shared.machines().isEmpty();
  }

  /** What a node of a type needs; empty if the file does not tell. */
  Optional<Size> size(String nodeType) {
    return Optional.ofNullable(shared.nodeTypes().get(nodeType));
  }

  /** The machines, with what their nodes will use if all clients come that were agreed. */
  MachineBudget budget() {
    return new FleetRoom(shared.map(), seen, agreements, journals::lately).budget();
  }
}
