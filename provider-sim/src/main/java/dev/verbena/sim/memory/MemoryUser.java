// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/** A queue pair's identity in access checks. Each queue pair has one of its own; they are compared by identity. */
public final class MemoryUser {
    final Object domain;
    final int number;

    /**
     * Makes the identity of a queue pair.
     *
     * @param domain its protection domain, compared by identity
     * @param number its number
     */
    public MemoryUser(Object domain, int number) {
        this.domain = domain;
        this.number = number;
    }

    @Override
    public String toString() {
        return "QP " + number;
    }
}
