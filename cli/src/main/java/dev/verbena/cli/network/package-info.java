// SPDX-License-Identifier: Apache-2.0
/**
 * Guice modules and their settings. The Guice modules create the {@code SimRuntime}, the fabric, the devices and the LNet
 * nodes of a command.
 */
package dev.verbena.cli.network;
