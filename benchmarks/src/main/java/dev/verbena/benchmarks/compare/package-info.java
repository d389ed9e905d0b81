// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the page of a comparison out of the samples that {@code benchmarks/compare} took: the samples that count, the
 * goals for ratios, and the charts. Nothing is measured here.
 */
package dev.verbena.benchmarks.compare;
