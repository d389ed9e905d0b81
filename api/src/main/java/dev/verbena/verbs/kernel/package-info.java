// SPDX-License-Identifier: Apache-2.0
/**
 * Registration as drivers in the Linux kernel do it: {@code ib_alloc_mr} with {@code IB_WR_REG_MR}, and the fast memory regions (FMR) of
 * kernels before 5.8. For drivers that work as o2iblnd does. libibverbs has neither, so a program registers memory with {@link
 * dev.verbena.verbs.ProtectionDomain#registerMemory}.
 *
 * @since 1.0
 */
package dev.verbena.verbs.kernel;
