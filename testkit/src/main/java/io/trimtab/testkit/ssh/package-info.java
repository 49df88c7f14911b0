/** Hosts with a real sshd each, on this machine, for tests. */
package io.trimtab.testkit.ssh;
