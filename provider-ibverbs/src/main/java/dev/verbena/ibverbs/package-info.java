// SPDX-License-Identifier: Apache-2.0
/**
 * The machine's own RDMA stack as a provider of the SPI: it calls libibverbs and librdmacm through
 * {@code java.lang.foreign}.
 *
 * <p>All restricted native calls of the project are in the packages below this package, which are not exported. No
 * library is loaded before the application queries the availability or the devices of a provider. The packages below
 * this package implement neither a wire format nor verbs semantics, because the kernel and the card implement both.
 */
package dev.verbena.ibverbs;
