// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

/** One line of the report: the examined part, and its state with the remedy if the part is missing or wrong. */
record Finding(String subject, String text) {
    @Override
    public String toString() {
        return subject + ": " + text;
    }
}
