// SPDX-License-Identifier: Apache-2.0
/**
 * The report about a machine with RDMA cards: steps, each a command of verbena in its own process, and an archive of
 * their output.
 */
package dev.verbena.cli.report;
