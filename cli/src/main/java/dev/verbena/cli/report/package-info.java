// SPDX-License-Identifier: Apache-2.0
/** The report on a host's RDMA adapters: steps that run verbena commands, and an archive of the commands' output. */
package dev.verbena.cli.report;
