package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * A CPU partition of a node: the pools and the scheduler that the connections to a part of its peers share, and no
 * others use. Used under the node's lock, except for the scheduler. Source: {@code CPT}, {@code kib_tx_poolset},
 * {@code kib_fmr_poolset}.
 */
final class Partition {

    private final NetworkInterface ni;
    private final NodeMemory memory;
    private final Scheduler scheduler;
    private final TxPool transmits;
    private final RdmaTransfer.Pool transfers;
    private final RegistrationStrategy registrations;

    Partition(NetworkInterface ni, NodeMemory memory, RegistrationStrategy registrations) {
        this.ni = ni;
        this.memory = memory;
        this.registrations = registrations;
        O2ibTunables tunables = ni.tunables();
        scheduler = new Scheduler(ni.callerRuns(), tunables.nscheds());
        transmits = new TxPool(memory, tunables.ntx() / tunables.cpuPartitions(), ni::now);
        transfers = new RdmaTransfer.Pool(memory, registrations);
    }

    NodeMemory memory() {
        return memory;
    }

    Scheduler scheduler() {
        return scheduler;
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

    /** Frees idle objects now, and the others when their users end. */
    void failOver() {
        transmits.failOver();
        registrations.failOver();
    }

    /** Sets the memory that the RDMA writes of a descriptor will read. Returns 0 or a negative errno. */
    int prepareSource(TxDescriptor tx, PayloadVector payload, long offset, long length) {
        try {
            @Nullable RdmaTransfer transfer = transfers.source(payload, offset, length);
            tx.transfer(transfer);
            return transfer == null ? -Errno.ENOMEM.number() : 0;
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
    }

    /** Copies the memory of a source to one run of pages; 0, or a negative errno. */
    int joinSource(RdmaTransfer transfer) {
        try {
            return transfers.joinSource(transfer) ? 0 : -Errno.ENOMEM.number();
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
    }

    /** Takes a descriptor back that was not sent, and its memory. Its messages remain the caller's. */
    void giveBack(TxDescriptor tx) {
        @Nullable RdmaTransfer transfer = tx.transfer();
        try {
            if (transfer != null) {
                transfers.release(transfer, 0, false);
            }
        } finally {
            transmits.release(tx);
        }
    }

    /** Takes a descriptor back: its memory first, then the pool, and only then LNet hears of it, also after an exception. */
    void done(TxDescriptor tx) {
        int status = tx.status();
        HealthClass health = tx.health();
        @Nullable RdmaTransfer transfer = tx.transfer();
        try {
            if (transfer != null) {
                transfers.release(transfer, status == 0 ? tx.arrived() : 0, status < 0);
            }
        } catch (IllegalStateException e) {
            status = -Errno.EFAULT.number();
            health = HealthClass.LOCAL_ERROR;
        } finally {
            finish(tx, status, health);
        }
    }

    private void finish(TxDescriptor tx, int status, HealthClass health) {
        @Nullable LnetMessage first = tx.first();
        @Nullable LnetMessage second = tx.second();
        @Nullable Peer peer = tx.discharge();
        transmits.release(tx);
        if (first != null) {
            ni.host().complete(first, status, health);
        }
        if (second != null) {
            ni.host().complete(second, status, health);
        }
        if (peer != null) {
            ni.lnd().startDelayed(peer);
        }
    }
}
