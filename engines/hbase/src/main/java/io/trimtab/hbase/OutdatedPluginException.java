package io.trimtab.hbase;

import java.io.IOException;

/** The plug-in is too old for a request; everything else goes on, and no retry helps. */
final class OutdatedPluginException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what "the plug-in on host:16020 has no Splits"
   */
  OutdatedPluginException(String what, Throwable cause) {
    super(what + ": update the plug-in (trimtab plugin install hbase)", cause);
  }
}
