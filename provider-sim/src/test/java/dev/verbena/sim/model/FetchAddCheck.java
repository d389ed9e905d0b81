// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Judges the word that several queue pairs have incremented. Each addition has its own bit. So the value that an
 * addition found names the additions before it: there is a total order, and no addition was executed twice.
 */
final class FetchAddCheck {
    private FetchAddCheck() {}

    static void check(Host host) {
        List<Request> additions = host.additions();
        long total = host.node().memory().get(ValueLayout.JAVA_LONG, Host.SOURCE);
        for (Request request : additions) {
            boolean done = (total & request.operand) != 0;
            assertThat(done || !request.succeeded)
                    .as("%s is in the sum 0x%x", request, total)
                    .isTrue();
            assertThat(done && !request.taken)
                    .as("%s, which was refused, is in the sum 0x%x", request, total)
                    .isFalse();
            if (request.succeeded) {
                long found = request.found;
                assertThat(found & ~total)
                        .as("the value that %s found is part of the sum", request)
                        .isZero();
                assertThat(found & request.operand)
                        .as("%s found itself", request)
                        .isZero();
                for (Request other : additions) {
                    boolean comparable = !other.succeeded
                            || (found & other.operand) != 0
                            || other == request
                            || (other.found & request.operand) != 0;
                    assertThat(comparable)
                            .as("%s and %s found each other missing", request, other)
                            .isTrue();
                }
            }
        }
        host.adopt(new MemoryRange(Host.SOURCE, Long.BYTES));
    }
}
