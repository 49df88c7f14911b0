package io.trimtab.cassandraplugin;

import java.util.Arrays;
import java.util.function.BiPredicate;

/** What the Cassandra of this JVM offers to a ranking: what exists decides, not the version. */
enum Offered {
  /** Filters of messages, and a read stage that can be wrapped: Cassandra 5.0. */
  STAGE,
  /** Filters of messages only: Cassandra 4.1. */
  MESSAGES,
  /** Nothing that this plug-in knows. */
  NOTHING;

  /** Of this JVM. */
  static final Offered HERE = in(Offered.class.getClassLoader());

  private static final String CASSANDRA = "org.apache.cassandra.";

  static Offered in(ClassLoader classes) {
    try {
      // Before 4.1 there is no such executor, and after 5.0 no such metadata.
      of(classes, "concurrent.ExecutorPlus");
      of(classes, "locator.TokenMetadata");
      of(classes, "net.OutboundSink").getMethod("add", BiPredicate.class);
      return canBeWrapped(of(classes, "concurrent.Stage")) ? STAGE : MESSAGES;
    } catch (ReflectiveOperationException | LinkageError e) {
      return NOTHING;
    }
  }

  private static Class<?> of(ClassLoader classes, String name) throws ClassNotFoundException {
    return Class.forName(CASSANDRA + name, false, classes);
  }

  static boolean canBeWrapped(Class<?> stage) {
    return Arrays.stream(stage.getMethods())
        .anyMatch(method -> method.getName().equals("unsafeSetExecutor"));
  }
}
