// SPDX-License-Identifier: Apache-2.0
/**
 * Creates {@code performance.md} from the measurements of {@code benchmarks/compare}: selects the valid measurements,
 * compares benchmark results with the performance targets, and draws the charts. This package measures nothing.
 */
package dev.verbena.benchmarks.compare;
