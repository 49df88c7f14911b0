/** Clusters by their names in a file of connections, and the check of a connection. */
package io.trimtab.cli.connect;
