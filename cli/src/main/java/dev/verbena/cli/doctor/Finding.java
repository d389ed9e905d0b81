// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

/** The state of one component of the RDMA stack, as one line of text. Some lines of the diagnosis contain a remedy. */
record Finding(String subject, String text) {
    @Override
    public String toString() {
        return subject + ": " + text;
    }
}
