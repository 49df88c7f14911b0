/** What a check of a connection finds. */
package io.trimtab.engineapi.connect;
