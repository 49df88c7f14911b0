package io.trimtab.controller.choice;

/**
 * A target that could be chosen.
 *
 * @param title what is done, as an operator says it: "move partitions"
 */
record Candidate(String title, Layout layout) {}
