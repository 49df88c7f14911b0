/** A server that answers as Amazon's APIs do, for tests. */
package io.trimtab.testkit.moto;
