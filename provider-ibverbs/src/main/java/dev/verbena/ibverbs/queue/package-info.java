// SPDX-License-Identifier: Apache-2.0
/** Completion queues, queue pairs and shared receive queues: how they are created, controlled, posted to and polled. */
package dev.verbena.ibverbs.queue;
