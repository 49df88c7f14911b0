package io.trimtab.hbasewire.knownbad;

/** Breaks a rule on purpose: the controller has no server's classes. */
final class SeesHadoop {
  org.apache.hadoop.hbase.ServerName server;
}
