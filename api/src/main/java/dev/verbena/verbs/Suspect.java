// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A usual cause of a completion status, and its remedy.
 *
 * @param cause the possible mistake or fault
 * @param cure the check or the change that removes the cause
 * @since 1.0
 */
public record Suspect(String cause, String cure) {
    /** {@return the cause and the remedy, separated by a semicolon} */
    @Override
    public String toString() {
        return cause + "; " + cure;
    }
}
