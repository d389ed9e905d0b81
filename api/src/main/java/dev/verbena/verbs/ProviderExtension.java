// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The supertype of the interfaces to optional features. If a provider has an optional feature,
 * {@link VerbsProvider#extension(Class)} returns the feature's interface.
 *
 * @since 1.0
 */
public interface ProviderExtension {}
