// SPDX-License-Identifier: Apache-2.0
/**
 * Creates the performance page from the samples of {@code benchmarks/compare}: the samples that count, the goals for
 * ratios, and the charts. This package measures nothing.
 */
package dev.verbena.benchmarks.compare;
