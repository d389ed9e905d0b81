// SPDX-License-Identifier: Apache-2.0
/**
 * The memory of a node, and the strategies that register this memory and make it accessible to peers. Each strategy is
 * a class that implements {@link dev.verbena.lnd.memory.RegistrationStrategy}.
 *
 * <p>The classes for memory registration use verbs, but no connections, messages or threads; callers must serialize all
 * calls.
 */
package dev.verbena.lnd.memory;
