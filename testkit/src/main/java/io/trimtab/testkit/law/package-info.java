/**
 * What the usage law of the in-memory cluster computes with, as pure functions of numbers: a cache,
 * what requests cost, and clients that wait for their answers.
 */
package io.trimtab.testkit.law;
