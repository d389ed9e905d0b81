// SPDX-License-Identifier: Apache-2.0
/**
 * Injects faults into the calls and completions of any provider, even a provider of hardware devices. {@link
 * FaultyProvider} wraps a provider: it makes a call fail with a chosen errno, or alters, delays or loses a completion. For
 * example, a test can make a registration fail with {@code ENOMEM}.
 *
 * @since 1.0
 */
package dev.verbena.fault.provider;
