/** Clusters by name in a file of connections or by options alone, and the check of a connection. */
package io.trimtab.cli.connect;
