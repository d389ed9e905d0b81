// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of the data path, each compared with a theoretical limit. */
package dev.verbena.benchmarks;
