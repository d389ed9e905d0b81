// SPDX-License-Identifier: Apache-2.0
/**
 * The hardware report about a machine with RDMA cards: steps, each a verbena command in its own process, and an archive
 * of their output.
 */
package dev.verbena.cli.report;
