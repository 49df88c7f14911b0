package io.trimtab.cassandra.versions;

import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.engineapi.EngineException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The versions of a ring's live nodes, and which of all versions are driven. */
public final class CassandraVersions {
  private static final List<String> SUPPORTED = List.of("4.0", "4.1", "5.0", "6.0");

  /** Each once, ascending. */
  private final List<Version> versions;

  /**
   * @param versions those that are known
   */
  public CassandraVersions(Collection<Version> versions) {
    this.versions = List.copyOf(new TreeSet<>(versions));
  }

  /**
   * Of nodes. One that is down is left out: it exchanges no data with others, runs what was last
   * heard of it or something else when it is back, and would forbid its own replacement. So is one
   * whose version is not known yet.
   */
  public static CassandraVersions of(Collection<Node> nodes) {
    return new CassandraVersions(
        nodes.stream()
            .filter(node -> node.getState() != NodeState.DOWN)
            .map(Node::getCassandraVersion)
            .filter(Objects::nonNull)
            .toList());
  }

  /** Whether a version is one of a release: 5.0.9 and 5.0-rc1 are of 5.0. */
  public static boolean isOf(String version, String release) {
    return version.matches(Pattern.quote(release) + "([.-].*)?");
  }

  /** For a person: {@code 5.0.8 and 5.0.9}. */
  public String text() {
    return versions.isEmpty()
        ? "unknown"
        : listed(versions.stream().map(Version::toString).toList());
  }

  /** Why such nodes are not driven, a sentence; empty if all are. */
  public Optional<String> refusal() {
    List<String> others =
        versions.stream().filter(version -> !isDriven(version)).map(Version::toString).toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Cassandra " + listed(others) + " is not supported; " + listed(SUPPORTED) + " are");
  }

  /** A fourth number is DataStax Enterprise's, whose versions begin with 4.0, too. */
  private static boolean isDriven(Version version) {
    return version.getDSEPatch() < 0
        && SUPPORTED.stream().anyMatch(release -> isOf(version.toString(), release));
  }

  /**
   * That they are driven.
   *
   * @param cluster for the message
   * @throws EngineException if one is not
   */
  public void require(String cluster) throws EngineException {
    Optional<String> refusal = refusal();
    if (refusal.isPresent()) {
      throw new EngineException(cluster + ": " + refusal.get());
    }
  }

  /** Why nothing may be changed on a ring whose nodes are driven, a sentence; empty if it may. */
  public Optional<String> hindrance() {
    long releases =
        versions.stream().map(its -> its.getMajor() + "." + its.getMinor()).distinct().count();
    return releases < 2
        ? Optional.empty()
        : Optional.of(
            "nodes run Cassandra "
                + text()
                + ": nothing is changed until all have the same release");
  }

  private static String listed(List<String> words) {
    List<String> first = new ArrayList<>(words);
    String last = first.remove(first.size() - 1);
    return first.isEmpty() ? last : String.join(", ", first) + " and " + last;
  }
}
