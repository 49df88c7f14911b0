/** Every decision, as pure functions of snapshots, settings and time. */
package io.trimtab.controller;
