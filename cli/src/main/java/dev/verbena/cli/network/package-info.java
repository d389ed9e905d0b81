// SPDX-License-Identifier: Apache-2.0
/** The Guice modules that create the runtime, fabric, devices and nodes of a command, and their settings. */
package dev.verbena.cli.network;
