// SPDX-License-Identifier: Apache-2.0
/**
 * Faults in the calls and completions of any provider, also of one with real devices. {@link
 * dev.verbena.fault.provider.FaultyProvider} wraps a provider. A call then fails with a chosen errno, or a completion is altered,
 * delayed or lost. A program can be tested for {@code ENOMEM} at a registration that way.
 *
 * @since 1.0
 */
package dev.verbena.fault.provider;
