/**
 * What tests of other modules share: a cluster in memory with virtual time, seeds that are told,
 * and the one oracle of plans. Knows no policy and no loop.
 */
package io.trimtab.testkit;
