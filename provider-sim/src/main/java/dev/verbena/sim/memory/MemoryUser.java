// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * A queue pair's identity in access checks. Each queue pair has its own identity object; the objects are compared by reference.
 */
public final class MemoryUser {
    final Object domain;
    final int number;

    public MemoryUser(Object domain, int number) {
        this.domain = domain;
        this.number = number;
    }

    @Override
    public String toString() {
        return "QP " + number;
    }
}
