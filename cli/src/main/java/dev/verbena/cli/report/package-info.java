// SPDX-License-Identifier: Apache-2.0
/** The report of a machine's RDMA cards: steps that run verbena commands, and an archive of the commands' output. */
package dev.verbena.cli.report;
