// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import dev.verbena.wire.GidAddress;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Reads a CM message field by field and writes it again into other bytes. */
final class CmRebuilder {
    private CmRebuilder() {}

    static void rebuild(byte[] mad, byte[] into) {
        MemorySegment from = MemorySegment.ofArray(mad);
        MemorySegment to = MemorySegment.ofArray(into);
        MadHeader header = new MadHeader().wrap(from, 0);
        CmAttribute attribute = Objects.requireNonNull(CmAttribute.of(header.get(MadHeader.ATTRIBUTE_ID)));
        switch (attribute) {
            case REQ -> request(new CmRequest().wrap(from, 0), new CmRequest().wrap(to, 0));
            case REP -> message(new CmReply().wrap(from, 0), new CmReply().wrap(to, 0));
            case RTU -> message(new CmReadyToUse().wrap(from, 0), new CmReadyToUse().wrap(to, 0));
            case REJ -> reject(new CmReject().wrap(from, 0), new CmReject().wrap(to, 0));
            case DREQ -> message(new CmDisconnectRequest().wrap(from, 0), new CmDisconnectRequest().wrap(to, 0));
            case DREP -> message(new CmDisconnectReply().wrap(from, 0), new CmDisconnectReply().wrap(to, 0));
            case SIDR_REQ -> withAddresses(new SidrRequest().wrap(from, 0), new SidrRequest().wrap(to, 0));
            case SIDR_REP -> sidrReply(new SidrReply().wrap(from, 0), new SidrReply().wrap(to, 0));
            case MRA, LAP, APR -> throw new IllegalArgumentException("no capture has " + header);
        }
    }

    private static <M extends CmMessage<M>> void message(M from, M to) {
        to.initialize(from.transactionId());
        fields(from, to);
        to.privateData(0, from.privateData());
    }

    private static <M extends FieldView<M>> void fields(M from, M to) {
        for (Field<? super M> field : from.fields()) {
            to.set(field, from.getLong(field));
        }
    }

    private static <M extends CmMessage<M>> void withAddresses(M from, M to) {
        to.initialize(from.transactionId());
        fields(from, to);
        addresses(new RdmaCmHeader().wrap(from), new RdmaCmHeader().wrap(to));
        to.privateData(RdmaCmHeader.LENGTH, from.privateData(RdmaCmHeader.LENGTH));
    }

    private static void addresses(RdmaCmHeader from, RdmaCmHeader to) {
        to.initialize(
                from.get(RdmaCmHeader.PORT),
                from.sourceHi(),
                from.sourceLo(),
                from.destinationHi(),
                from.destinationLo());
        boolean ipv4 = GidAddress.isIpv4(from.sourceHi(), from.sourceLo());
        if (ipv4 != (from.get(RdmaCmHeader.IP_VERSION) == 4)) {
            throw new IllegalArgumentException("an address of another IP version: " + from);
        }
    }

    private static void request(CmRequest from, CmRequest to) {
        withAddresses(from, to);
        fields(from.primaryPath(), to.primaryPath());
        fields(from.alternatePath(), to.alternatePath());
    }

    private static void reject(CmReject from, CmReject to) {
        message(from, to);
        to.additionalInfo(from.additionalInfo())
                .set(CmReject.REJECTED_INFO_LENGTH, from.get(CmReject.REJECTED_INFO_LENGTH));
    }

    private static void sidrReply(SidrReply from, SidrReply to) {
        message(from, to);
        to.additionalInfo(from.additionalInfo())
                .set(SidrReply.ADDITIONAL_INFO_LENGTH, from.get(SidrReply.ADDITIONAL_INFO_LENGTH));
    }
}
