package io.trimtab.cassandraplugin;

import org.apache.cassandra.concurrent.DebuggableTask.RunnableDebuggableTask;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.WrappedExecutorPlus;
import org.apache.cassandra.service.StorageProxy.LocalReadRunnable;
import org.apache.cassandra.utils.WithResources;

/**
 * The read stage, which notes when each read came and when it began, and leaves some to requests.
 */
final class TimedReadStage extends WrappedExecutorPlus {
  private final LocalReads local;
  private final InlineReads inline;

  /** Reads of this node's own data as a coordinator; they are no messages. */
  interface LocalReads {
    void sent(long now);

    /** The read that came then has ended; what is said of it is that of its thread. */
    void ended(long now, long took);
  }

  TimedReadStage(ExecutorPlus stage, LocalReads local, InlineReads inline) {
    super(stage);
    this.local = local;
    this.inline = inline;
  }

  @Override
  public void execute(Runnable task) {
    super.execute(timed(task));
  }

  @Override
  public void execute(WithResources resources, Runnable task) {
    super.execute(resources, timed(task));
  }

  @Override
  public void maybeExecuteImmediately(Runnable task) {
    Runnable timed = timed(task);
    boolean only = task instanceof LocalReadRunnable && RequestReads.current().isOnlyLocal();
    if (!only || !inline.ran(timed)) {
      super.maybeExecuteImmediately(timed);
    }
  }

  private Runnable timed(Runnable task) {
    long now = System.nanoTime();
    if (!(task instanceof RunnableDebuggableTask)) {
      return new Timed(task, now);
    }
    if (task instanceof LocalReadRunnable) {
      local.sent(now);
      return new TimedLocal((RunnableDebuggableTask) task, now);
    }
    return new TimedDebuggable((RunnableDebuggableTask) task, now);
  }

  private static class Timed implements Runnable {
    final long came;
    private final Runnable task;

    Timed(Runnable task, long came) {
      this.task = task;
      this.came = came;
    }

    @Override
    public void run() {
      Served served = Served.current();
      served.begin(came, System.nanoTime());
      try {
        task.run();
        worked();
      } finally {
        served.end();
      }
    }

    void worked() {}
  }

  /** Cassandra shows the age and the text of such a task. */
  private static class TimedDebuggable extends Timed implements RunnableDebuggableTask {
    private final RunnableDebuggableTask task;

    TimedDebuggable(RunnableDebuggableTask task, long came) {
      super(task, came);
      this.task = task;
    }

    @Override
    public long creationTimeNanos() {
      return task.creationTimeNanos();
    }

    @Override
    public long startTimeNanos() {
      return task.startTimeNanos();
    }

    @Override
    public String description() {
      return task.description();
    }
  }

  private final class TimedLocal extends TimedDebuggable {
    TimedLocal(RunnableDebuggableTask task, long came) {
      super(task, came);
    }

    @Override
    void worked() {
      long now = System.nanoTime();
      local.ended(now, now - came);
    }
  }
}
