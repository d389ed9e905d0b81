// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers and consequences of the health classes are those of LNet. */
class HealthClassTest {

    @ParameterizedTest
    @CsvSource({
        "0, OK, false, false, false",
        "1, LOCAL_INTERRUPT, true, false, true",
        "2, LOCAL_DROPPED, true, false, true",
        "3, LOCAL_ABORTED, true, false, true",
        "4, LOCAL_NO_ROUTE, true, false, true",
        "5, LOCAL_ERROR, true, false, false",
        "6, LOCAL_TIMEOUT, true, false, true",
        "7, REMOTE_ERROR, false, true, false",
        "8, REMOTE_DROPPED, false, true, true",
        "9, REMOTE_TIMEOUT, false, true, false",
        "10, NETWORK_TIMEOUT, true, true, false",
    })
    void eachClassHasItsNumberAndItsConsequences(
            int number, HealthClass health, boolean local, boolean remote, boolean resend) {
        assertThat(health.ordinal()).isEqualTo(number);
        assertThat(health.isLocal()).isEqualTo(local);
        assertThat(health.isRemote()).isEqualTo(remote);
        assertThat(health.mayResend()).isEqualTo(resend);
    }
}
