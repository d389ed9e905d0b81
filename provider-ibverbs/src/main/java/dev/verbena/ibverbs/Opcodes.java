package dev.verbena.ibverbs;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.SendOpcode;

/** Which operations of the send queue a device has. */
final class Opcodes {
    private Opcodes() {}

    static boolean supported(NativeDevice device, SendOpcode opcode) {
        return switch (opcode) {
            case SEND, RDMA_WRITE -> true;
            case SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> device.has(Capability.IMMEDIATE_DATA);
            case RDMA_READ -> device.has(Capability.RDMA_READ);
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> device.has(Capability.ATOMICS);
            case SEND_WITH_INV -> device.has(Capability.SEND_WITH_INV);
            case BIND_MW, LOCAL_INV -> device.has(Capability.MW_TYPE_2A) || device.has(Capability.MW_TYPE_2B);
            case ATOMIC_WRITE -> device.has(Capability.ATOMIC_WRITE);
            case FLUSH -> device.has(Capability.FLUSH);
            case REG_MR -> device.has(Capability.FAST_REGISTRATION);
        };
    }
}
