package io.trimtab.simulator;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import java.util.Set;

/** A controller's lock: faults strike where it is asked, and a dead process does not release it. */
record MortalLock(ControlLock lock, SimulatedController by) implements ControlLock {
  @Override
  public long epoch() {
    return lock.epoch();
  }

  @Override
  public String holder() {
    return lock.holder();
  }

  @Override
  public boolean held() {
    by.reached("lock");
    return lock.held();
  }

  @Override
  public void write(String document, byte[] content) throws EngineException {
    by.reached("document");
    lock.write(document, content);
  }

  @Override
  public Set<String> stopRequests() {
    return lock.stopRequests();
  }

  @Override
  public void close() {
    if (!by.isDead()) {
      lock.close();
    }
  }
}
