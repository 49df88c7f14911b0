/** The file of connections: named clusters, each with all that is needed to reach it. */
package io.trimtab.formats.connections;
