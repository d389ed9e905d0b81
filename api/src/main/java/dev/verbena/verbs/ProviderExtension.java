// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The supertype of the optional interfaces of a provider. If a provider has an optional interface, {@link
 * VerbsProvider#extension(Class)} returns an object that implements the interface.
 *
 * @since 1.0
 */
public interface ProviderExtension {}
