// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of the data path, each with the limit with which it is compared. */
package dev.verbena.benchmarks;
