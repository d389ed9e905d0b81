// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The limits of the work requests in one send queue.
 *
 * @param device the device whose objects a work request may refer to
 * @param operations the send opcodes that the device supports for this queue pair type
 * @param maxReadEntries the maximum number of scatter-gather entries of an RDMA READ
 */
public record SendLimits(
        Device device,
        QpType type,
        Set<SendOpcode> operations,
        QpCapabilities capabilities,
        long maxMessageSize,
        int maxReadEntries) {
    public static Set<SendOpcode> operations(QpType type, Predicate<Capability> has) {
        Set<SendOpcode> supported = EnumSet.noneOf(SendOpcode.class);
        for (SendOpcode opcode : SendOpcode.values()) {
            if (opcode.supportedOn(type) && isSupported(opcode, has)) {
                supported.add(opcode);
            }
        }
        return Collections.unmodifiableSet(supported);
    }

    private static boolean isSupported(SendOpcode opcode, Predicate<Capability> has) {
        return switch (opcode) {
            case SEND, RDMA_WRITE -> true;
            case SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> has.test(Capability.IMMEDIATE_DATA);
            case RDMA_READ -> has.test(Capability.RDMA_READ);
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> has.test(Capability.ATOMICS);
            case SEND_WITH_INV -> has.test(Capability.SEND_WITH_INV);
            case BIND_MW, LOCAL_INV -> has.test(Capability.MW_TYPE_2A) || has.test(Capability.MW_TYPE_2B);
            case ATOMIC_WRITE -> has.test(Capability.ATOMIC_WRITE);
            case FLUSH -> has.test(Capability.FLUSH);
            case REG_MR -> has.test(Capability.FAST_REGISTRATION);
        };
    }
}
