package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The API of a cloud, as far as nodes need it. Errors are one line that names the cloud. */
public interface Cloud {

  /** For messages: {@code EC2 eu-west-1}. */
  String title();

  /** All machines with a cluster's mark; those that have ended may be among them. */
  List<CloudMachine> machines(String cluster) throws EngineException;

  /**
   * Asks for a machine, which bears its marks from the start.
   *
   * @throws NoRoomException if a quota or want of hosts forbids it
   * @throws TokenSpentException if the next attempt is to be asked for instead
   */
  CloudMachine create(Order order) throws EngineException;

  /** Adds marks, or gives them other values. */
  void mark(CloudMachine machine, Map<String, String> marks) throws EngineException;

  /** Starts a machine that is stopped. */
  void start(CloudMachine machine) throws EngineException;

  void reboot(CloudMachine machine) throws EngineException;

  /** Begins to shut a machine down; its disks stay. */
  void stop(CloudMachine machine) throws EngineException;

  /** Begins to delete a machine with its disks; does nothing if there is none. */
  void delete(CloudMachine machine) throws EngineException;

  /** Whether {@link #delete} lets a running machine shut down first. */
  boolean shutsDown();

  /** Whether a machine that never ran was refused for want of hosts or a quota. */
  boolean foundNoRoom(CloudMachine failed);

  /** How long what a machine runs at its first start may be, in bytes. */
  int userDataMaxBytes();

  /**
   * How many machines of a type the quota leaves a cluster; empty if there is none, or it is not
   * told.
   */
  OptionalInt room(String cluster, String type) throws EngineException;
}
