/** What adapters share of reaching others: steps of a check (names, ports, TLS), whole answers. */
package io.trimtab.host.connect;
