/**
 * What is loaded into HBase: an endpoint that changes a RegionServer's memory split at once, and
 * the wire format that it shares with the controller. Java 11, nothing beside HBase's own jars.
 */
package io.trimtab.hbaseplugin;
