/** What clients that wait for answers get of a full cluster. */
package io.trimtab.controller.choice.clients;
