/**
 * What every node provider must do, for the tests of those who have one, and what tests lay over a
 * provider.
 */
package io.trimtab.testkit.provider;
