// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessBarrierTest {
    /** The numbers are those of {@code asm/unistd.h}. */
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, 324",
        "Linux, aarch64, 283",
        "Linux, riscv64, 283",
        "Linux, ppc64le, 365",
        "Linux, s390x, 356",
        "Linux, x86, -1",
        "Mac OS X, aarch64, -1"
    })
    void eachArchitectureHasItsSystemCallNumber(String system, String architecture, long number) {
        assertThat(ProcessBarrier.number(system, architecture)).isEqualTo(number);
    }
}
