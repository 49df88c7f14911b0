package io.trimtab.secrets;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What is logged while this is open, with all that {@code --debug} adds. */
final class CapturedLog implements AutoCloseable {
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Logger own = (Logger) LoggerFactory.getLogger("io.trimtab");
  private final Level before = own.getLevel();
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  CapturedLog() {
    events.start();
    root.addAppender(events);
    own.setLevel(Level.DEBUG);
  }

  /** As it stands in a file, with stack traces. */
  String text() {
    List<ILoggingEvent> logged;
    // As it appends: other threads may still log.
    synchronized (events) {
      logged = List.copyOf(events.list);
    }
    StringBuilder text = new StringBuilder();
    for (ILoggingEvent event : logged) {
      text.append(event.getFormattedMessage()).append('\n');
      if (event.getThrowableProxy() != null) {
        text.append(ThrowableProxyUtil.asString(event.getThrowableProxy())).append('\n');
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    own.setLevel(before);
    root.detachAppender(events);
  }
}
