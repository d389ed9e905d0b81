// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;

/** LNet without a driver: nodes on a network that loses messages only on request, in virtual time. */
public final class CoreNode implements Lnet {

    public static final class Network {
        private final FakeNetwork fake = new FakeNetwork(3976);
        private final VirtualRuntime runtime = new VirtualRuntime(1);
        private final List<CoreNode> nodes = new ArrayList<>();
        private final VerbsRuntime.SerialTask task = runtime.newSerialTask(this::run);

        public CoreNode join(String nid) {
            CoreNode node = new CoreNode(this, Nid.parse(nid), nodes.size() + 1L);
            nodes.add(node);
            fake.join(node.core);
            return node;
        }

        public VirtualRuntime runtime() {
            return runtime;
        }

        private void run() {
            fake.run();
            boolean delivered = false;
            for (CoreNode node : nodes) {
                delivered |= node.deliver();
            }
            if (delivered) {
                task.schedule();
            }
        }
    }

    private final Network network;
    private final LnetCore core;
    private final Queue<LnetEvent> events = new ArrayDeque<>();
    private long matchBits = 1L << 40;
    private long freeMemory = Long.MAX_VALUE;
    private int allocated;
    private int room = Integer.MAX_VALUE;

    private CoreNode(Network network, Nid nid, long cookie) {
        this.network = network;
        core = new LnetCore(nid, new Random(cookie), events::add);
    }

    private boolean deliver() {
        boolean any = !events.isEmpty();
        while (!events.isEmpty()) {
            LnetEvent event = events.remove();
            event.memoryDescriptor().handler().onEvent(event);
        }
        return any;
    }

    /** From now on the node's driver refuses to send, with this status; 0 ends that. */
    public void refuse(int status) {
        network.fake.refuse(core, status);
    }

    /** Lets the node allocate {@code pieces} more pieces of memory. */
    public void room(int pieces) {
        room = pieces;
    }

    public void freeMemory(long bytes) {
        freeMemory = bytes;
    }

    /** Returns the number of pieces of memory that were not freed. */
    public int allocated() {
        return allocated;
    }

    /** Descriptors that are attached or bound. */
    public int descriptors() {
        return core.descriptorCount();
    }

    @Override
    public ProcessId id() {
        return core.self();
    }

    @Override
    public VerbsRuntime runtime() {
        return network.runtime;
    }

    @Override
    public MemorySegment allocate(long bytes) throws VerbsException {
        if (room == 0) {
            throw new VerbsException(Errno.ENOMEM, "allocate", "there is no room");
        }
        room--;
        allocated++;
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    @Override
    public void free(MemorySegment memory) {
        allocated--;
    }

    @Override
    public long freeMemory() {
        return freeMemory;
    }

    @Override
    public long newMatchBits() {
        return matchBits++;
    }

    @Override
    public void attach(MatchEntry entry, MemoryDescriptor md) {
        core.attach(entry, md);
        network.task.schedule();
    }

    @Override
    public void put(
            MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData) {
        core.put(md, ack, target, portal, matchBits, offset, hdrData);
        network.task.schedule();
    }

    @Override
    public void get(MemoryDescriptor md, ProcessId target, int portal, long matchBits, long offset) {
        core.get(md, target, portal, matchBits, offset);
        network.task.schedule();
    }

    @Override
    public void unlink(MemoryDescriptor md) {
        core.unlink(md);
        network.task.schedule();
    }

    @Override
    public void unlink(MatchEntry entry) {
        core.unlink(entry);
        network.task.schedule();
    }

    @Override
    public LnetStatistics lnetStatistics() {
        return core.statistics();
    }
}
