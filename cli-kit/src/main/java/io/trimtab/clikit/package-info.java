/**
 * What every command needs: where it writes, how a user names a cluster, and the port by which
 * modules add commands. A module's commands are found by {@link java.util.ServiceLoader}, so the
 * production command line never sees laboratories, load generators or experiments.
 */
package io.trimtab.clikit;
