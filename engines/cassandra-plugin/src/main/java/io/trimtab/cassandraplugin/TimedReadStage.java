package io.trimtab.cassandraplugin;

import java.lang.reflect.Field;
import org.apache.cassandra.concurrent.DebuggableTask.RunnableDebuggableTask;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.WrappedExecutorPlus;
import org.apache.cassandra.service.StorageProxy.LocalReadRunnable;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.utils.WithResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read stage, which notes when each read came and when it began, and leaves some to requests.
 */
final class TimedReadStage extends WrappedExecutorPlus {
  private final LocalReads reads;
  private final InlineReads inline;

  /** Reads of this node's own data as a coordinator; they are no messages. */
  interface LocalReads {
    void sent(long now);

    /** One has ended; what is said of it is that of its thread. */
    void ended(long now, long took);

    /** One has failed, or took so long that its answer is not waited for any more. */
    void lost(long now, long took);

    /** No more is heard of one, which need not have begun. */
    void untold(long now);

    /** Nanoseconds after which an answer is not waited for. */
    long limit();
  }

  TimedReadStage(ExecutorPlus stage, LocalReads reads, InlineReads inline) {
    super(stage);
    this.reads = reads;
    this.inline = inline;
  }

  @Override
  public void execute(Runnable task) {
    super.execute(timed(task, false));
  }

  @Override
  public void execute(WithResources resources, Runnable task) {
    super.execute(resources, timed(task, false));
  }

  @Override
  public void maybeExecuteImmediately(Runnable task) {
    boolean local = task instanceof LocalReadRunnable;
    Runnable timed = timed(task, local);
    boolean only = local && RequestReads.current().isOnlyLocal() && AwaitedAnswers.isOne(task);
    if (!only || !inline.ran(timed)) {
      super.maybeExecuteImmediately(timed);
    }
  }

  /**
   * @param local whether it reads a partition of this node's own; parts of ranges do not count
   */
  private Runnable timed(Runnable task, boolean local) {
    long now = System.nanoTime();
    if (!(task instanceof RunnableDebuggableTask)) {
      return new Timed(task, now);
    }
    if (local) {
      reads.sent(now);
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
      boolean ended = false;
      try {
        task.run();
        ended = true;
      } finally {
        ran(ended);
        served.end();
      }
    }

    /**
     * @param ended without an error
     */
    void ran(boolean ended) {}
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
    void ran(boolean ended) {
      long now = System.nanoTime();
      long took = now - came;
      // Cassandra drops one that has waited too long, and says nothing.
      if (ended && took < reads.limit()) {
        reads.ended(now, took);
      } else {
        reads.lost(now, took);
      }
    }
  }

  /**
   * For how many answers the request of a local read waits. Cassandra asks other nodes for digests
   * after the read of its own data, so that one that runs in the request's thread would delay them.
   * No public method tells it.
   */
  private static final class AwaitedAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(AwaitedAnswers.class);
    private static final Field HANDLER = field(LocalReadRunnable.class, "handler");
    private static final Field BLOCK_FOR = field(ReadCallback.class, "blockFor");

    private AwaitedAnswers() {}

    private static Field field(Class<?> type, String name) {
      try {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn("no reads in requests' threads: this Cassandra has no {}.{}", type, name);
        return null;
      }
    }

    /** Whether it waits for one only; false where that can't be told. */
    static boolean isOne(Runnable localRead) {
      try {
        return HANDLER != null
            && BLOCK_FOR != null
            && BLOCK_FOR.getInt(HANDLER.get(localRead)) == 1;
      } catch (IllegalAccessException e) {
        return false;
      }
    }
  }
}
