// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.EngineLimits;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * The pools of a CPU partition on one device, shared by the connections of the CPU partition. Callers of this class
 * must hold the lock of the CPU partition. Source: {@code kib_tx_poolset}, {@code kib_fmr_poolset}.
 */
final class Partition {

    private final Cpt cpt;
    private final Device device;
    private final ProtectionDomain domain;
    private final NodeMemory memory;
    private final TxPool transmits;
    private final RdmaTransfer.Pool transfers;
    private final RegistrationStrategy registrations;
    private final int piecesPerWrite;
    private @Nullable EngineLimits lastLimits;

    Partition(
            Cpt cpt,
            Device device,
            ProtectionDomain domain,
            NodeMemory memory,
            RegistrationStrategy registrations,
            O2ibTunables tunables) {
        this.cpt = cpt;
        this.device = device;
        this.domain = domain;
        this.memory = memory;
        this.registrations = registrations;
        transmits = new TxPool(memory, tunables.ntx() / tunables.cpuPartitions(), cpt::now);
        transfers = new RdmaTransfer.Pool(memory, registrations);
        piecesPerWrite = Math.min(tunables.wrqSge(), device.attributes().maxSge());
    }

    Cpt cpt() {
        return cpt;
    }

    Device device() {
        return device;
    }

    ProtectionDomain domain() {
        return domain;
    }

    NodeMemory memory() {
        return memory;
    }

    TxPool transmits() {
        return transmits;
    }

    RdmaTransfer.Pool transfers() {
        return transfers;
    }

    RegistrationStrategy registrations() {
        return registrations;
    }

    int piecesPerWrite() {
        return piecesPerWrite;
    }

    /** Returns the given limits, or an equal object that an earlier call returned. */
    EngineLimits shared(EngineLimits limits) {
        @Nullable EngineLimits last = lastLimits;
        if (last != null && last.equals(limits)) {
            return last;
        }
        lastLimits = limits;
        return limits;
    }

    /**
     * Destroys the idle objects of the failed device's pools. An object in use is destroyed when it is returned to its
     * pool.
     */
    void failOver() {
        transmits.failOver();
        registrations.failOver();
    }

    /** Sets the memory that a transmit descriptor's RDMA WRITEs will read. Returns 0 or a negative errno. */
    int prepareSource(TxDescriptor tx, PayloadVector payload, long offset, long length) {
        try {
            @Nullable RdmaTransfer transfer = transfers.source(payload, offset, length);
            tx.transfer(transfer);
            return transfer == null ? -Errno.ENOMEM.number() : 0;
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
    }

    /** Copies a payload that consists of too many memory ranges into a bounce buffer. Returns 0 or a negative errno. */
    int joinSource(RdmaTransfer transfer) {
        try {
            return transfers.joinSource(transfer) ? 0 : -Errno.ENOMEM.number();
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
    }

    /**
     * Releases the RDMA transfer of a transmit descriptor, and then frees the transmit descriptor even after an exception.
     *
     * @param arrived the number of received bytes to copy from the bounce buffer, if any, to the application's memory
     * @param failed whether the peer may still write to the destination buffer of the RDMA transfer
     * @throws IllegalStateException if the application has closed the arena of the payload's memory segment
     */
    void release(TxDescriptor tx, long arrived, boolean failed) {
        @Nullable RdmaTransfer transfer = tx.transfer();
        try {
            if (transfer != null) {
                transfers.release(transfer, arrived, failed);
            }
        } finally {
            transmits.release(tx);
        }
    }
}
