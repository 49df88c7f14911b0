package io.trimtab.providers.manual;

/**
 * A restart that a person was asked for; kept until it is seen.
 *
 * @param incarnation of the node when it was asked for; null if it did not run
 * @param since when it was asked for, in milliseconds since 1970
 */
record ManualRestart(Long incarnation, long since) {}
