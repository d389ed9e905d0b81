// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.PathMigrationState;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/** Encodes queue pair attributes: the attribute mask, en_sqd_async_notify, and the attributes in the mask. */
final class QpAttributesCodec {
    private QpAttributesCodec() {}

    static void write(QpAttributes attributes, DataOutput out) throws IOException {
        out.writeInt(attributes.mask());
        out.writeBoolean(attributes.sqDraining());
        for (QpAttribute attribute : QpAttribute.values()) {
            if (attributes.has(attribute)) {
                write(attribute, attributes, out);
            }
        }
    }

    private static void write(QpAttribute attribute, QpAttributes from, DataOutput out) throws IOException {
        switch (attribute) {
            case STATE -> out.writeByte(from.state().ordinal());
            case CUR_STATE -> out.writeByte(from.currentState().ordinal());
            case EN_SQD_ASYNC_NOTIFY -> out.writeBoolean(from.enableSqdAsyncNotify());
            case ACCESS_FLAGS -> out.writeInt(AccessFlag.maskOf(from.access()));
            case PKEY_INDEX -> out.writeInt(from.pkeyIndex());
            case PORT -> out.writeInt(from.port());
            case QKEY -> out.writeInt(from.qkey());
            case AV -> RecordCodec.write(AddressVector.class, from.addressVector(), out);
            case PATH_MTU -> out.writeByte(from.pathMtu().ordinal());
            case TIMEOUT -> out.writeInt(from.ackTimeout().code());
            case RETRY_CNT -> out.writeInt(from.retryCount());
            case RNR_RETRY -> out.writeInt(from.rnrRetryCount().code());
            case RQ_PSN -> out.writeInt(from.rqPsn().value());
            case MAX_QP_RD_ATOMIC -> out.writeInt(from.maxRdAtomic());
            case ALT_PATH -> RecordCodec.write(AddressVector.class, from.alternatePath(), out);
            case MIN_RNR_TIMER -> out.writeInt(from.minRnrTimer().code());
            case SQ_PSN -> out.writeInt(from.sqPsn().value());
            case MAX_DEST_RD_ATOMIC -> out.writeInt(from.maxDestRdAtomic());
            case PATH_MIG_STATE -> out.writeByte(from.pathMigrationState().ordinal());
            case CAP -> RecordCodec.write(QpCapabilities.class, from.capabilities(), out);
            case DEST_QPN -> out.writeInt(from.destinationQpn());
        }
    }

    static QpAttributes read(DataInputStream in) throws IOException {
        int mask = in.readInt();
        QpAttributesBuilder into = QpAttributes.builder().sqDraining(in.readBoolean());
        for (QpAttribute attribute : QpAttribute.values()) {
            if ((mask & attribute.mask()) != 0) {
                read(attribute, into, in);
            }
        }
        return into.build();
    }

    private static void read(QpAttribute attribute, QpAttributesBuilder into, DataInputStream in) throws IOException {
        switch (attribute) {
            case STATE -> into.state(constant(QpState.values(), in));
            case CUR_STATE -> into.currentState(constant(QpState.values(), in));
            case EN_SQD_ASYNC_NOTIFY -> into.enableSqdAsyncNotify(in.readBoolean());
            case ACCESS_FLAGS -> into.access(AccessFlag.ofMask(in.readInt()));
            case PKEY_INDEX -> into.pkeyIndex(in.readInt());
            case PORT -> into.port(in.readInt());
            case QKEY -> into.qkey(in.readInt());
            case AV -> into.addressVector((AddressVector) RecordCodec.read(AddressVector.class, in));
            case PATH_MTU -> into.pathMtu(constant(PathMtu.values(), in));
            case TIMEOUT -> into.ackTimeout(AckTimeout.ofCode(in.readInt()));
            case RETRY_CNT -> into.retryCount(in.readInt());
            case RNR_RETRY -> into.rnrRetryCount(RnrRetryCount.ofCode(in.readInt()));
            case RQ_PSN -> into.rqPsn(Psn.of(in.readInt()));
            case MAX_QP_RD_ATOMIC -> into.maxRdAtomic(in.readInt());
            case ALT_PATH -> into.alternatePath((AddressVector) RecordCodec.read(AddressVector.class, in));
            case MIN_RNR_TIMER -> into.minRnrTimer(RnrTimer.ofCode(in.readInt()));
            case SQ_PSN -> into.sqPsn(Psn.of(in.readInt()));
            case MAX_DEST_RD_ATOMIC -> into.maxDestRdAtomic(in.readInt());
            case PATH_MIG_STATE -> into.pathMigrationState(constant(PathMigrationState.values(), in));
            case CAP -> into.capabilities((QpCapabilities) RecordCodec.read(QpCapabilities.class, in));
            case DEST_QPN -> into.destinationQpn(in.readInt());
        }
    }

    private static <E> E constant(E[] values, DataInputStream in) throws IOException {
        int index = in.readUnsignedByte();
        if (index >= values.length) {
            throw new IOException(
                    "there is no constant " + index + " in " + values.getClass().getComponentType());
        }
        return values[index];
    }
}
