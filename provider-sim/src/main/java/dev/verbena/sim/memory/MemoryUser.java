// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * Represents a queue pair, or a call of {@code ibv_advise_mr} (QPN 0), in access checks. Each queue pair has one {@code
 * MemoryUser}. Checks of type 2B memory windows compare it by reference.
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
