/** TLS as adapters use it: certificates that may be exchanged while the controller runs. */
package io.trimtab.host.tls;
