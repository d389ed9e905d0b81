// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

/** One line of the doctor's report: a part of the RDMA stack, and its state with a remedy if the part does not work. */
record Finding(String subject, String text) {
    @Override
    public String toString() {
        return subject + ": " + text;
    }
}
