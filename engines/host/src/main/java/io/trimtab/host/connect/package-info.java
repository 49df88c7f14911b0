/** Steps of a check that adapters share: names, ports, TLS. */
package io.trimtab.host.connect;
