// SPDX-License-Identifier: Apache-2.0
/**
 * The Guice modules that create the runtime, the fabric, the devices and the LNet nodes of a command, and the settings
 * of these modules.
 */
package dev.verbena.cli.network;
