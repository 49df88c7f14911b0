/**
 * What tests of other modules share: seeds that are told and a clock that is moved by hand, plans
 * without reasons, a cluster in memory ({@code cluster}), what its tenants ask for ({@code load})
 * and what that costs ({@code law}), and the one oracle of plans ({@code oracle}). Knows no policy
 * and no loop.
 */
package io.trimtab.testkit;
