/** The control loop: clock, threads, executor, journal, kill switch. */
package io.trimtab.runtime;
