/** What is found of a connection: by a check, or when it is made. */
package io.trimtab.engineapi.connect;
