/**
 * The vocabulary of faults: what may go wrong on a link, by chance or by plan; a fabric that can be commanded carries that out.
 * And {@link dev.verbena.fault.FaultyProvider}, in which the calls and completions of any provider go wrong.
 *
 * @since 1.0
 */
package dev.verbena.fault;
