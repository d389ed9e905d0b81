// SPDX-License-Identifier: Apache-2.0
/** Transfers of data and files between LNet nodes, and the demo, which transfers data to a node and back. */
package dev.verbena.cli.transfer;
