package io.trimtab.engineapi.metrics;

import java.time.Instant;

/**
 * A value of a metric.
 *
 * @param value finite, in the metric's unit
 * @param at when it was measured, by the clock of whoever tells it
 */
public record Reading(double value, Instant at) {}
