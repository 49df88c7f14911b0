package io.trimtab.cassandraplugin.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesTheVocabulary(io.trimtab.engineapi.NodeId forbidden) {}
