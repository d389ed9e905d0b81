// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters of LNet nodes in virtual time: nodes and links in software, random traffic, crashes and partitions, and checks
 * for lost or duplicated messages. The configuration of a cluster, with the seed, determines a simulation completely. The
 * package {@code cluster} depends neither on the command line nor on a file format.
 */
@NullMarked
package dev.verbena.cli.cluster;

import org.jspecify.annotations.NullMarked;
