// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A usual cause of a completion status, and its remedy.
 *
 * @param cause the possible mistake or fault
 * @param cure what the user should check or change to remove this mistake or fault
 * @since 1.0
 */
public record Suspect(String cause, String cure) {
    /** {@return the usual cause and its remedy, separated by a semicolon} */
    @Override
    public String toString() {
        return cause + "; " + cure;
    }
}
