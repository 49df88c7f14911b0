/**
 * What processes and their share of this machine are doing, as the kernel tells it, and what else
 * adapters share: their time, and how they try again.
 */
package io.trimtab.host;
