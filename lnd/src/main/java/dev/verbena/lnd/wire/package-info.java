// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of o2iblnd: messages on the queue pair, parameters and rejections in CM private data, RDMA descriptors, and
 * the checks a received message must pass.
 *
 * <p>Everything here is a view over bytes or a number with a name. Nothing here knows connections, verbs or memory
 * regions. Layouts are those of Lustre's {@code o2iblnd.h}; versions 0x11 and 0x12 share them.
 */
package dev.verbena.lnd.wire;
