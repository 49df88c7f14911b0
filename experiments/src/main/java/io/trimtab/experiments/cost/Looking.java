package io.trimtab.experiments.cost;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.experiments.bed.WatchingAutopilot;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.runtime.LoopListener;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The autopilot as {@code trimtab run} without {@code --act}, with a connection of its own, until
 * it is closed: it looks and decides, and changes nothing.
 */
final class Looking implements AutoCloseable {
  private static final int POLL_MS = 100;

  private final Engine engine;
  private final WatchingAutopilot watching;

  // Guarded by this.
  private final List<Double> snapshotS = new ArrayList<>();
  private final Map<String, Integer> verdicts = new TreeMap<>();
  private int samples;
  private String reason = "";

  /** Starts it. */
  Looking(Lab lab, Settings settings) throws EngineException {
    engine = lab.engine();
    watching = new WatchingAutopilot(timed(), Optional.empty(), settings, new Listener());
  }

  /** The engine, with the time of each snapshot kept. */
  private Engine timed() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          long from = System.nanoTime();
          try {
            return method.invoke(engine, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          } finally {
            if (method.getName().equals("snapshot")) {
              took((System.nanoTime() - from) / 1e9);
            }
          }
        };
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, handler);
  }

  private synchronized void took(double seconds) {
    snapshotS.add(seconds);
  }

  private final class Listener implements LoopListener {
    @Override
    public void sampled(int taken, int needed) {
      synchronized (Looking.this) {
        samples++;
      }
    }

    @Override
    public void held(String by, String why, String setting) {
      verdict(setting.isEmpty() ? "held by " + by : "held by " + by + " (" + setting + ")", why);
    }

    @Override
    public void planned(Plan plan, boolean act) {
      verdict("a plan", plan.summary());
    }
  }

  private synchronized void verdict(String what, String why) {
    verdicts.merge(what, 1, Integer::sum);
    reason = why;
  }

  /** Waits for the first sample, with which nodes are new and which takes longer than others. */
  void awaitSample(Duration limit) throws EngineException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (samples() == 0) {
      if (watching.hasEnded()) {
        watching.awaitEnd();
      }
      if (watching.hasEnded() || System.nanoTime() > end) {
        throw new EngineException("the cluster was not observed: " + reason());
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
  }

  /** Taken so far. */
  synchronized int samples() {
    return samples;
  }

  /** Of the last decision. */
  synchronized String reason() {
    return reason;
  }

  /** How long each snapshot took so far, s; the first two are those with which a run begins. */
  synchronized List<Double> snapshotS() {
    return List.copyOf(snapshotS);
  }

  /** What came of its samples so far, and how often. */
  synchronized Map<String, Integer> verdicts() {
    return new TreeMap<>(verdicts);
  }

  /**
   * Ends it.
   *
   * @throws EngineException if it had ended by itself
   */
  @Override
  public void close() throws EngineException {
    try {
      watching.close();
    } finally {
      engine.close();
    }
  }
}
