// SPDX-License-Identifier: Apache-2.0
/**
 * The memory of a node and the ways to register it and grant access to peers. Each way is a class that implements
 * {@link dev.verbena.lnd.memory.RegistrationStrategy}. The package also has the pools of their objects.
 *
 * <p>Knows verbs, but no connection, message or thread; the owner serializes the calls.
 */
package dev.verbena.lnd.memory;
