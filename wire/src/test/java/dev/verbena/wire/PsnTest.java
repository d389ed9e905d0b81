// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** PSN arithmetic against integers without bounds. */
class PsnTest {
    private static final BigInteger MODULUS = BigInteger.TWO.pow(24);
    private static final int MAX = 0xff_ffff;
    private static final int HALF = 1 << 23;

    @Property
    void addingCountsModulo2To24(@ForAll @IntRange(max = MAX) int psn, @ForAll long n) {
        BigInteger expected = BigInteger.valueOf(psn).add(BigInteger.valueOf(n)).mod(MODULUS);

        assertThat(Psn.add(psn, n)).isEqualTo(expected.intValueExact());
    }

    @Property
    void nextAndPreviousAreAddingOneAndMinusOne(@ForAll @IntRange(max = MAX) int psn) {
        assertThat(Psn.next(psn)).isEqualTo(Psn.add(psn, 1));
        assertThat(Psn.previous(psn)).isEqualTo(Psn.add(psn, -1));
        assertThat(Psn.previous(Psn.next(psn))).isEqualTo(psn);
    }

    @Property
    void addingTheDistanceYieldsTheOtherPsn(
            @ForAll @IntRange(max = MAX) int from, @ForAll @IntRange(max = MAX) int to) {
        int distance = Psn.distance(from, to);

        assertThat(distance).isBetween(0, MAX);
        assertThat(Psn.add(from, distance)).isEqualTo(to);
    }

    @Property
    void upToHalfTheCircleAheadIsLaterAndTheRestIsEarlier(
            @ForAll @IntRange(max = MAX) int psn, @ForAll @IntRange(max = MAX) int ahead) {
        int other = Psn.add(psn, ahead);

        int expected = ahead == 0 ? 0 : ahead < HALF ? 1 : -1;
        assertThat(Integer.signum(Psn.compare(other, psn))).isEqualTo(expected);
        assertThat(Psn.isAfter(other, psn)).isEqualTo(expected > 0);
        assertThat(Psn.isBefore(other, psn)).isEqualTo(expected < 0);
    }

    @Property
    void bitsAbove23AreIgnored(@ForAll int a, @ForAll int b) {
        int cleanA = a & MAX;
        int cleanB = b & MAX;

        assertThat(Psn.next(a)).isEqualTo(Psn.next(cleanA));
        assertThat(Psn.previous(a)).isEqualTo(Psn.previous(cleanA));
        assertThat(Psn.distance(a, b)).isEqualTo(Psn.distance(cleanA, cleanB));
        assertThat(Psn.compare(a, b)).isEqualTo(Psn.compare(cleanA, cleanB));
    }

    @Example
    void theCircleCloses() {
        assertThat(Psn.next(MAX)).isZero();
        assertThat(Psn.previous(0)).isEqualTo(MAX);
        assertThat(Psn.isAfter(0, MAX)).isTrue();
        assertThat(Psn.isBefore(MAX, 0)).isTrue();
    }

    @Example
    void aPsnHalfTheCircleAwayIsEarlierInBothDirections() {
        assertThat(Psn.isBefore(HALF, 0)).isTrue();
        assertThat(Psn.isBefore(0, HALF)).isTrue();
    }
}
