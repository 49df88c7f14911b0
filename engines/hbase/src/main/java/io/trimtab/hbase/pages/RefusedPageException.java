package io.trimtab.hbase.pages;

import java.io.IOException;

/**
 * A server's page is not trusted, or does not trust this side: to wait is of no use. The message
 * names the page's address.
 */
public final class RefusedPageException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String mend;

  /**
   * @param mend what somebody has to do about it
   */
  public RefusedPageException(String message, String mend, IOException cause) {
    super(message, cause);
    this.mend = mend;
  }

  /** What somebody has to do about it. */
  public String mend() {
    return mend;
  }
}
