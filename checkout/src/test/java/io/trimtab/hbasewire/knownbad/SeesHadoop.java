package io.trimtab.hbasewire.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesHadoop(org.apache.hadoop.hbase.ServerName forbidden) {}
