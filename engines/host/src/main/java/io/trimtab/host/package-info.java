/**
 * Resource usage of processes and control groups on this machine, read from the kernel, and other
 * code shared by adapters: clocks and retries.
 */
package io.trimtab.host;
