/**
 * The vocabulary of faults: what may go wrong on a link, by chance or by plan. Here live rules and their verdicts; a fabric
 * that can be commanded carries them out.
 */
package dev.verbena.fault;
