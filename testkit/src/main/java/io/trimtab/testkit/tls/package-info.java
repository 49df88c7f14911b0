/** Keys and certificates for tests of TLS. */
package io.trimtab.testkit.tls;
