// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

/**
 * A scatter-gather entry of a work request.
 *
 * @param region the handle of the region
 * @param offset the offset of the scatter/gather entry in the memory region, in bytes
 */
public record Sge(int region, long offset, long length) {}
