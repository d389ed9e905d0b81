// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.RejectReason;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.rules.CmTalk.Half;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmEventRecord;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.Arrays;

/** The rules of rule area CM about private data. */
public interface CmPrivateDataRules extends RuleSet {
    private static byte[] bytes(int length, int first) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    private static void assertPadded(byte[] expected, int area, byte[] found, String what) {
        assertEquals(area, found.length, () -> "length of " + what);
        assertTrue(
                Arrays.equals(Arrays.copyOf(expected, area), found),
                () -> what + " is " + Arrays.toString(found) + ", but the peer sent " + Arrays.toString(expected));
    }

    @Rule(
            id = "CM-02",
            text = "Each side of a connection receives the private data of the other side, padded with zeros to 56"
                    + " bytes in a REQ and to 196 bytes in a REP.",
            source = "rdma_connect(3) and rdma_accept(3) (private_data); IBTA volume 1, sections 12.6.5 and 12.6.8",
            rig = {Needs.CONNECTIONS},
            lookAt = {
                "the padding of the private data in REQ and REP",
                "the 36-byte rdma_cm header at the start of a REQ's private data"
            })
    default void privateDataArrivesPaddedWithZeros(
            @IntRange(min = 0, max = 56) int asked, @IntRange(min = 0, max = 196) int answered, byte first) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            talk.asking(CmNumbers.usual().withPrivateData(bytes(asked, first)));
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertPadded(bytes(asked, first), 56, requested.request().privateData(), "a request's private data");
            requested.id().end(QpType.RC);
            requested.id().accept(CmNumbers.usual().withPrivateData(bytes(answered, ~first)));
            CmEventRecord established = talk.active().expect(CmEventType.ESTABLISHED);
            assertPadded(bytes(answered, ~first), 196, established.privateData(), "an answer's private data");
        }
    }

    @Rule(
            id = "CM-03",
            text = "Private data that is too long for its message is refused with EINVAL, and the connection id"
                    + " remains usable.",
            source = "rdma_connect(3), rdma_accept(3) and rdma_reject(3) (private_data_len)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the check of the private data's length before a message is sent"})
    default void excessPrivateDataIsRefused(@IntRange(min = 1, max = 300) int excess) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id active = talk.resolved();
            active.end(QpType.RC);
            assertErrno(Errno.EINVAL, () -> active.connect(CmNumbers.usual().withPrivateData(bytes(56 + excess, 0))));
            active.connect(CmNumbers.usual());
            Half passive = talk.asked();
            assertErrno(
                    Errno.EINVAL, () -> passive.id().accept(CmNumbers.usual().withPrivateData(bytes(196 + excess, 0))));
            assertErrno(Errno.EINVAL, () -> passive.id().reject(bytes(148 + excess, 0)));
            passive.id().accept(CmNumbers.usual());
            talk.active().expect(CmEventType.ESTABLISHED);
        }
    }

    @Rule(
            id = "CM-06",
            text = "Rejecting a connection request raises REJECTED at the active side, with status 28 and with the"
                    + " private data padded to 148 bytes. The queue pair of the rejected active side moves to ERR.",
            source = "rdma_reject(3); IBTA volume 1, section 12.6.7.2 (code 28)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the reason code in the REJ", "the state of the active side's queue pair after the REJ"})
    default void aRejectionHasStatusAndPrivateData(@IntRange(min = 0, max = 148) int length) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Half active = talk.asking(CmNumbers.usual());
            talk.passive().expectRequest().id().reject(bytes(length, 1));
            CmEventRecord rejected = talk.active().expect(CmEventType.REJECTED);
            assertEquals(RejectReason.CONSUMER_DEFINED.code(), rejected.status(), "status of REJECTED");
            assertPadded(bytes(length, 1), 148, rejected.privateData(), "a rejection's private data");
            active.end().qp().assertState(QpState.ERR);
        }
    }
}
