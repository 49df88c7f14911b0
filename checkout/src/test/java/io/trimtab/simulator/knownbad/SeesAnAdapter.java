package io.trimtab.simulator.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesAnAdapter(io.trimtab.hbase.HBaseEngine forbidden) {}
