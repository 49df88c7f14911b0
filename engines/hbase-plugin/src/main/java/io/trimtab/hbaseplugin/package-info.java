/**
 * What is loaded into HBase: an endpoint that changes a RegionServer's memory split at once, and an
 * observer of regions' requests. Java 11, no dependencies other than HBase's jars. {@code
 * ProfileEndpoint}, {@code RequestObserver} and {@code LoadSplitPolicy} are named in users'
 * configuration and table descriptors: they keep their names and this package.
 */
package io.trimtab.hbaseplugin;
