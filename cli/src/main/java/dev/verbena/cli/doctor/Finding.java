// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

/**
 * One line of the report.
 *
 * @param subject the examined part
 * @param text its state and, if it is missing or wrong, the remedy
 */
record Finding(String subject, String text) {
    @Override
    public String toString() {
        return subject + ": " + text;
    }
}
