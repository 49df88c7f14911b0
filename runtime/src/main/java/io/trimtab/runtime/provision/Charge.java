package io.trimtab.runtime.provision;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * That no autopilot is in charge of a cluster while its machines are given back: the lock, and the
 * connection that it lives by.
 *
 * @param engine empty if the cluster does not answer
 * @param lock empty without a cluster, or if one that is being taken apart has none any more
 */
record Charge(Optional<Engine> engine, Optional<ControlLock> lock) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Charge.class);

  static final Charge OF_NOBODY = new Charge(Optional.empty(), Optional.empty());

  /**
   * Takes the lock.
   *
   * @param engine closed with it
   * @param apart whether the cluster's machines are being given back: too few may be left for a
   *     lock
   * @throws EngineException if a controller is in charge
   */
  static Charge of(Engine engine, Control control, boolean apart) throws EngineException {
    try {
      return new Charge(Optional.of(engine), Optional.of(control.take(engine)));
    } catch (ControlTakenException e) {
      engine.close();
      throw new EngineException(e.getMessage() + "; stop it first: trimtab stop", e);
    } catch (EngineException e) {
      if (apart) {
        LOG.info("no lock of a cluster that is being taken apart", e);
        return new Charge(Optional.of(engine), Optional.empty());
      }
      engine.close();
      throw e;
    }
  }

  /** Throws if somebody else has taken over. */
  void require() throws EngineException {
    if (lock.isPresent()) {
      lock.get().require();
    }
  }

  /** The nodes that kept the lock may be gone by now. */
  @Override
  public void close() {
    lock.ifPresent(held -> quietly(held::close));
    engine.ifPresent(own -> quietly(own::close));
  }

  private static void quietly(Runnable close) {
    try {
      close.run();
    } catch (RuntimeException e) {
      LOG.info("the connection with a cluster that was taken apart is not closed", e);
    }
  }
}
