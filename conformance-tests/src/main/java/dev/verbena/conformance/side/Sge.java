// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

/**
 * An entry of a work request.
 *
 * @param region the region's handle
 * @param offset the first byte in the region
 * @param length bytes
 */
public record Sge(int region, long offset, long length) {}
