/**
 * {@link dev.verbena.fault.provider.FaultyProvider}, in which the calls and completions of any provider go wrong.
 *
 * @since 1.0
 */
package dev.verbena.fault.provider;
