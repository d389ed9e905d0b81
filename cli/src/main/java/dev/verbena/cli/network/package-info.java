// SPDX-License-Identifier: Apache-2.0
/** The Guice modules of runtime, fabric, devices and nodes, and the settings that they are made of. */
package dev.verbena.cli.network;
