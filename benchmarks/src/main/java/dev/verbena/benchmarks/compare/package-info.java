/**
 * Makes the page of a comparison out of the samples that {@code benchmarks/compare} took: which of them count, the ratios that
 * are asked for, the pictures. Nothing is measured here.
 */
package dev.verbena.benchmarks.compare;
