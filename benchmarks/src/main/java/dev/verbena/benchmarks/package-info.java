// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of the data path, each with a theoretical limit for comparison. */
package dev.verbena.benchmarks;
