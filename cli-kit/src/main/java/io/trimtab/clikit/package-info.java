/**
 * The basis of all commands: output, addressing of clusters, and the port by which modules add
 * commands. Commands are found by {@link java.util.ServiceLoader}, so the production command line
 * does not depend on labs, load generators or experiments.
 */
package io.trimtab.clikit;
