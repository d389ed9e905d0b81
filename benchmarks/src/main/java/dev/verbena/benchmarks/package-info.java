// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of the data path, each beside the limit it is measured against. */
package dev.verbena.benchmarks;
