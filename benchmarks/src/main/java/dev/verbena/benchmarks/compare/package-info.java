// SPDX-License-Identifier: Apache-2.0
/**
 * Creates the performance page from the samples of {@code benchmarks/compare}: selects valid samples, evaluates the
 * goals for ratios, and draws the charts. This package measures nothing.
 */
package dev.verbena.benchmarks.compare;
