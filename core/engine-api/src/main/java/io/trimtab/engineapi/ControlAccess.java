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
    return new ControlAccess() {
      @Override
      public String clusterId() throws EngineException {
        return engine.snapshot().clusterId();
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
}
