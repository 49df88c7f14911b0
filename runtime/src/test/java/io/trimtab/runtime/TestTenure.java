package io.trimtab.runtime;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.ClusterState;

/** Control of a cluster, taken by a test. */
public final class TestTenure {
  private TestTenure() {}

  public static Tenure of(Engine engine, ClusterState state) throws EngineException {
    ControlLock lock = engine.takeControl("test");
    Entry.Took took = new Entry.Took(FakeEngine.NOW, lock.epoch(), lock.holder(), "1", "", "", "");
    return Tenure.begin(lock, engine.shared(), state, took);
  }
}
