package io.trimtab.engineapi;

/**
 * A connection with what a cluster keeps about its controllers, for those who need no more of it: a
 * stop must get through while the rest of the cluster is down.
 */
public interface ControlAccess extends AutoCloseable {

  /** The cluster's own id. */
  String clusterId() throws EngineException;

  SharedState shared();

  @Override
  void close();

  /** Through a whole engine, which is closed with it. */
  static ControlAccess of(Engine engine) {
    return of(engine, () -> engine.snapshot().clusterId());
  }

  /** Through an engine of which the id is known without a snapshot. */
  static ControlAccess of(Engine engine, String clusterId) {
    return of(engine, () -> clusterId);
  }

  private static ControlAccess of(Engine engine, Id id) {
    return new ControlAccess() {
      @Override
      public String clusterId() throws EngineException {
        return id.get();
      }

      @Override
      public SharedState shared() {
        return engine.shared();
      }

      @Override
      public void close() {
        engine.close();
      }
    };
  }

  /** How the id is found. */
  @FunctionalInterface
  interface Id {
    String get() throws EngineException;
  }
}
