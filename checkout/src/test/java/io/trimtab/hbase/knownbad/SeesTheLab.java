package io.trimtab.hbase.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesTheLab(io.trimtab.lab.cluster.LabNode forbidden) {}
