/** What every node provider must do, for the tests of those who have one. */
package io.trimtab.testkit.provider;
