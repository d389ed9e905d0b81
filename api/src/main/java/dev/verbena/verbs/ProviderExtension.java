// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A feature that only some providers have, as an interface that {@link VerbsProvider#extension(Class)} may return.
 *
 * @since 1.0
 */
public interface ProviderExtension {}
