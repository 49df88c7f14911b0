package io.trimtab.controller.choice;

/**
 * A predicted usage.
 *
 * @param usage of a node; above 1 where it can't serve its load
 * @param deviation standard deviation of the prediction
 */
record Forecast(double usage, double deviation) {}
