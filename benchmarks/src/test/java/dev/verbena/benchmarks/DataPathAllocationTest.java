// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No operation of the data path allocates, even if other operations have run in the same process before. Code that is
 * not compiled yet may allocate a little, so the best of several rounds counts.
 */
class DataPathAllocationTest {
    private static final int ROUNDS = 25;
    private static final int OPERATIONS = 4_000;
    private static final double LIMIT = 0.01;

    @ParameterizedTest
    @EnumSource
    void nothingIsAllocatedBy(Operation operation) throws VerbsException {
        try (Work work = operation.prepare(64)) {
            double least = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > LIMIT; round++) {
                Allocation allocation = new Allocation();
                for (int i = 0; i < OPERATIONS; i++) {
                    work.run();
                }
                least = Math.min(least, (double) allocation.bytes() / OPERATIONS);
            }
            assertThat(least).as("bytes for each " + operation).isLessThanOrEqualTo(LIMIT);
        }
    }
}
