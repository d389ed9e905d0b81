// SPDX-License-Identifier: Apache-2.0
/**
 * The memory of a node, and the ways to register it and grant access to peers. Each way is a class that implements
 * {@link dev.verbena.lnd.memory.RegistrationStrategy}.
 *
 * <p>The package uses verbs, but no connections, messages or threads; the owner must serialize the calls.
 */
package dev.verbena.lnd.memory;
