// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** By LNet GETs, fetches the file that the target node has stored, and writes the file's content to a local file. */
public final class GetTransfer extends Transfer {
    private final LnetNode initiator;
    private final ProcessId target;
    private final Transaction transaction;
    private final Sections sections;
    private final FileData fetched;

    public GetTransfer(
            LnetNode initiator,
            ProcessId target,
            Transaction transaction,
            FileData fetched,
            Sections sections,
            long messageSize) {
        super(initiator, fetched.size(), messageSize);
        this.initiator = initiator;
        this.target = target;
        this.transaction = transaction;
        this.sections = sections;
        this.fetched = fetched;
    }

    @Override
    void start(long position, MemorySegment buffer, MemoryDescriptor descriptor) {
        initiator.get(
                descriptor,
                target,
                Store.PORTAL,
                transaction.bits(sections.section(position)),
                sections.offset(position));
    }

    @Override
    void finish(long position, MemorySegment buffer) throws IOException {
        fetched.write(position, buffer);
    }

    @Override
    public String toString() {
        return "GET";
    }
}
