package io.trimtab.runtime.control;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import java.util.Optional;

/**
 * The id by which the machines of a cluster are marked, where they were started before the cluster
 * had an id of its own. The cluster keeps it, so that a provider finds the machines from any host.
 *
 * @param format of the document
 * @param id of the marks
 * @param agreement for which the cluster was made, by its name
 */
public record MachineMark(int format, String id, String agreement) {
  /** The document's name. */
  public static final String DOCUMENT = "machines";

  public MachineMark(String id, String agreement) {
    this(ControlDocuments.FORMAT, id, agreement);
  }

  /**
   * Reads it.
   *
   * @return empty if the cluster's machines are marked by its own id
   * @throws UnreadableStateException if it is damaged or of a newer version: machines that are not
   *     found would be started twice
   */
  public static Optional<MachineMark> of(SharedState shared) throws EngineException {
    return ControlDocuments.read(shared, DOCUMENT, MachineMark.class);
  }

  /** As the cluster keeps it. */
  public byte[] content() {
    return ControlDocuments.bytes(this);
  }
}
