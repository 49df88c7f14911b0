/**
 * What the HBase plug-in and the controller say to each other. Java 11, and nothing but Protocol
 * Buffers in HBase's own version: a part of the plug-in's jar and of the controller.
 */
package io.trimtab.hbasewire;
