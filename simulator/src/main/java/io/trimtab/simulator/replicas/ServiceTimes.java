package io.trimtab.simulator.replicas;

import java.util.random.RandomGenerator;

/** Distributions of service times, each with the mean 1. */
public enum ServiceTimes {
  EXPONENTIAL {
    @Override
    double next(RandomGenerator random) {
      return random.nextExponential();
    }
  },
  /** With a standard deviation of the logarithm of 1: a coefficient of variation of 1.3. */
  LOGNORMAL {
    @Override
    double next(RandomGenerator random) {
      return Math.exp(random.nextGaussian() - 0.5);
    }
  },
  /** With the exponent 2.2: the largest of a million is 300 times the mean. */
  PARETO {
    private static final double SHAPE = 2.2;

    @Override
    double next(RandomGenerator random) {
      return (SHAPE - 1) / SHAPE * Math.pow(1 - random.nextDouble(), -1 / SHAPE);
    }
  };

  abstract double next(RandomGenerator random);
}
