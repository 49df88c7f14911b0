/** What all clouds have in common: machines with marks, which are asked for through an API. */
package io.trimtab.providers.cloud;
