// SPDX-License-Identifier: Apache-2.0
/**
 * The machine's own RDMA stack, through {@code java.lang.foreign}: libibverbs and librdmacm as a provider of the SPI.
 *
 * <p>Every restricted native call of the project is in the packages below this one, which are not exported. No library
 * is loaded before the application queries a provider's availability or devices. The packages below implement neither a
 * wire format nor verbs semantics; the kernel and the card do.
 */
package dev.verbena.ibverbs;
