// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The supertype of interfaces to features that only some providers have. {@link VerbsProvider#extension(Class)} returns
 * such an interface if the provider has the feature.
 *
 * @since 1.0
 */
public interface ProviderExtension {}
