// SPDX-License-Identifier: Apache-2.0
/**
 * The formats of o2iblnd messages on the queue pair, of CM private data, and of RDMA descriptors. This package contains the
 * checks of received messages.
 *
 * <p>Each public class is a flyweight over bytes, or a set of constants. No class uses connections, verbs or memory
 * regions. The layouts are those of Lustre's {@code o2iblnd.h}. Protocol versions 0x11 and 0x12 have the same layouts.
 */
package dev.verbena.lnd.wire;
