// SPDX-License-Identifier: Apache-2.0
/** Classes that transfer data or files between LNet nodes. The demo transfers data to a node and back. */
package dev.verbena.cli.transfer;
