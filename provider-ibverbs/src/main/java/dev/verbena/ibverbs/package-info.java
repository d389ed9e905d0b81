// SPDX-License-Identifier: Apache-2.0
/**
 * A provider of the verbs SPI on the host's RDMA stack: calls libibverbs and librdmacm through {@code java.lang.foreign}.
 *
 * <p>All restricted native calls of this module are in packages below this package that are not exported. No library is
 * loaded before the application queries a provider or opens a device. The packages below this package implement neither a
 * wire format nor verbs semantics, because the kernel and the RDMA adapter implement both.
 */
package dev.verbena.ibverbs;
