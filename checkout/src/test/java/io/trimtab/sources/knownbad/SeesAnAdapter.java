package io.trimtab.sources.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesAnAdapter(io.trimtab.hbase.HBaseContact forbidden) {}
