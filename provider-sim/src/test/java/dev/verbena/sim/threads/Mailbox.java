// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/** Data of three packets and a flag, in separate memory, to which a queue pair that is connected to itself writes. */
final class Mailbox {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Three packets with an MTU of 256 bytes. */
    private static final int DATA_LENGTH = 520;

    private static final int FLAG = 528;
    private static final int SOURCE = 1024;
    private static final int RESULT = 2032;
    private static final int SIZE = 2048;
    /** Far more than the number of states that jcstress has at once. */
    private static final int COUNT = 4096;

    private static final AtomicInteger MADE = new AtomicInteger();

    private final Loop loop = new Loop();
    private final long base = (long) (MADE.getAndIncrement() % COUNT) * SIZE;
    private final MemorySegment memory = Loop.memory().asSlice(base, SIZE);
    private final SendRequests requests = loop.queuePair().newSendRequests(2);

    Mailbox() {
        memory.fill((byte) 0);
        loop.postReceive(1);
    }

    /** Stores the data at the source, and posts two RDMA WRITEs: the data, then the flag. */
    void writeDataThenFlag() {
        fillSource();
        writeData(requests.get(0));
        requests.get(1)
                .rdmaWrite(Loop.region().address() + base + FLAG, Loop.region().rkey())
                .sge(Loop.region(), base + SOURCE, 1);
        post(2);
    }

    /** Stores and posts likewise, with a FETCH_ADD of 1 to the flag. */
    void writeDataThenAddToFlag() {
        fillSource();
        writeData(requests.get(0));
        requests.get(1)
                .fetchAndAdd(
                        Loop.region().address() + base + FLAG, Loop.region().rkey(), 1)
                .sge(Loop.region(), base + RESULT, Long.BYTES);
        post(2);
    }

    /** Stores and posts likewise, with a SEND that consumes a receive. */
    void writeDataThenSend() {
        fillSource();
        writeData(requests.get(0));
        requests.get(1).send();
        post(2);
    }

    /** Stores the data at the source, and posts an RDMA WRITE with immediate data. */
    void writeDataWithImmediate() {
        fillSource();
        requests.get(0)
                .rdmaWriteWithImmediate(
                        Loop.region().address() + base, Loop.region().rkey(), 7)
                .sge(Loop.region(), base + SOURCE, DATA_LENGTH);
        post(1);
    }

    private void writeData(SendWorkRequest request) {
        request.rdmaWrite(Loop.region().address() + base, Loop.region().rkey())
                .sge(Loop.region(), base + SOURCE, DATA_LENGTH);
    }

    private void fillSource() {
        memory.asSlice(SOURCE, DATA_LENGTH).fill((byte) 1);
    }

    private void post(int count) {
        if (loop.queuePair().postSend(requests, count) != count) {
            throw new IllegalStateException("refused: " + requests.refusal());
        }
    }

    /** Polls once; 1 if the receive completed, which is the only request that completes. */
    int poll() {
        return loop.poll();
    }

    /** Reads the flag that an RDMA WRITE sets, with acquire semantics. */
    int flag() {
        return (byte) BYTE.getAcquire(memory, (long) FLAG);
    }

    /** Reads the flag that an atomic operation sets, with acquire semantics. */
    int atomicFlag() {
        return (int) (long) LONG.getAcquire(memory, (long) FLAG);
    }

    /** Returns 1 if plain reads find the first, a middle and the last byte of the data, else 0. */
    int data() {
        return memory.get(ValueLayout.JAVA_BYTE, 0)
                & memory.get(ValueLayout.JAVA_BYTE, DATA_LENGTH / 2)
                & memory.get(ValueLayout.JAVA_BYTE, DATA_LENGTH - 1);
    }

    void close() {
        loop.close();
    }
}
