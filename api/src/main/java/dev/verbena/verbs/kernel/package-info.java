// SPDX-License-Identifier: Apache-2.0
/**
 * Memory registration as in drivers of the Linux kernel, for drivers that work like o2iblnd: {@code ib_alloc_mr} with
 * {@code IB_WR_REG_MR}, and the fast memory regions (FMR) of kernels before 5.8. The library libibverbs supports neither REG_MR
 * nor FMR, so a program registers memory by {@link dev.verbena.verbs.ProtectionDomain#registerMemory}.
 *
 * @since 1.0
 */
package dev.verbena.verbs.kernel;
