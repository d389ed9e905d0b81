/**
 * The descriptions of faults on a link, by chance or by plan. A fabric that can be commanded executes them.
 *
 * @since 1.0
 */
package dev.verbena.fault;
