/** Controllers on clusters in memory, in virtual time, with faults that a seed makes. */
package io.trimtab.simulator;
