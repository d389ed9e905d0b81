// SPDX-License-Identifier: Apache-2.0
/** The Guice modules that create the runtime, the fabric, the devices and the nodes, and their settings. */
package dev.verbena.cli.network;
