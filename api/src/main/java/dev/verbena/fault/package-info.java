/**
 * The descriptions of faults on a link, by chance or by plan. A fabric that can be commanded executes them. And
 * {@link dev.verbena.fault.FaultyProvider}, in which the calls and completions of any provider go wrong.
 *
 * @since 1.0
 */
package dev.verbena.fault;
