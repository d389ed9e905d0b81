// SPDX-License-Identifier: Apache-2.0
/** Completion queues, queue pairs and shared receive queues: their creation, control, posts and polls. */
package dev.verbena.ibverbs.queue;
