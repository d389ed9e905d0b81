// SPDX-License-Identifier: Apache-2.0
/**
 * The registered memory of an LNet node, and the strategies that grant peers access to this memory. Each strategy is a
 * class that implements {@link dev.verbena.lnd.memory.RegistrationStrategy}.
 *
 * <p>The classes for memory registration use verbs, but no connections, messages or threads; callers must serialize all
 * calls.
 */
package dev.verbena.lnd.memory;
