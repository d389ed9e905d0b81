// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Copies the initiator's data to the target's memory with PUTs. The target confirms each PUT with an LNet ACK. */
public final class PutTransfer extends Transfer {
    private final LnetNode initiator;
    private final ProcessId target;
    private final Transaction transaction;
    private final DataSource source;
    private final Sections sections;

    public PutTransfer(
            LnetNode initiator,
            ProcessId target,
            Transaction transaction,
            DataSource source,
            Sections sections,
            long messageSize) {
        super(initiator, source.size(), messageSize);
        this.initiator = initiator;
        this.target = target;
        this.transaction = transaction;
        this.source = source;
        this.sections = sections;
    }

    @Override
    void start(long position, MemorySegment buffer, MemoryDescriptor descriptor) throws IOException {
        source.read(position, buffer);
        initiator.put(
                descriptor,
                true,
                target,
                Store.PORTAL,
                transaction.bits(sections.section(position)),
                sections.offset(position),
                0);
    }

    @Override
    void finish(long position, MemorySegment buffer) {}

    @Override
    public String toString() {
        return "PUT";
    }
}
