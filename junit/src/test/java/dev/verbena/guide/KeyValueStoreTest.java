// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A table that clients read by RDMA READ, without work of the server's processor. Each slot has a version, which is odd while the server
 * changes the slot. A client that finds an odd version, or a version that has changed, reads again.
 */
class KeyValueStoreTest {
    private static final VarHandle VERSION = ValueLayout.JAVA_LONG.varHandle();
    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = 32;
    private static final int KEY = 8;
    private static final int VALUE = 16;

    /** The places where a client keeps the two versions that it has read. */
    private static final int BEFORE = SLOT_BYTES;

    private static final int AFTER = SLOT_BYTES + 8;

    /** Returns the place of a key. The last key that was put there replaces the others. */
    private static long offset(long key) {
        return Math.floorMod(key, SLOTS) * (long) SLOT_BYTES;
    }

    static void put(MemorySegment table, long key, long value) {
        long slot = offset(key);
        beginChange(table, slot);
        table.set(ValueLayout.JAVA_LONG, slot + KEY, key);
        table.set(ValueLayout.JAVA_LONG, slot + VALUE, value);
        endChange(table, slot);
    }

    private static void beginChange(MemorySegment table, long slot) {
        VERSION.setOpaque(table, slot, (long) VERSION.getOpaque(table, slot) + 1);
        VarHandle.releaseFence(); // the odd version is stored before the new key and value
    }

    private static void endChange(MemorySegment table, long slot) {
        VERSION.setRelease(table, slot, (long) VERSION.getOpaque(table, slot) + 1);
    }

    static OptionalLong get(QpEnd client, long table, int rkey, long key) throws Exception {
        MemorySegment copy = client.memory();
        long slot = table + offset(key);
        while (true) {
            read(client, slot, rkey, BEFORE, Long.BYTES); // each READ is posted after the one before it has completed
            read(client, slot, rkey, 0, SLOT_BYTES);
            read(client, slot, rkey, AFTER, Long.BYTES);
            long version = copy.get(ValueLayout.JAVA_LONG, BEFORE);
            if (version % 2 == 0 && version == copy.get(ValueLayout.JAVA_LONG, AFTER)) {
                boolean found = copy.get(ValueLayout.JAVA_LONG, KEY) == key;
                return found ? OptionalLong.of(copy.get(ValueLayout.JAVA_LONG, VALUE)) : OptionalLong.empty();
            }
        }
    }

    private static void read(QpEnd client, long address, int rkey, long offset, long length) throws Exception {
        client.post(r -> r.rdmaRead(address, rkey).sge(client.region(), offset, length));
        assertThat(client.await()).isSuccess();
    }

    @VerbsTest
    void aClientReadsTheValueOfEachKey(RcPair pair) throws Exception {
        put(pair.server().memory(), 42, 4711);
        put(pair.server().memory(), 43, 4712);
        var table = pair.server().region();
        assertThat(get(pair.client(), table.address(), table.rkey(), 42)).hasValue(4711);
        assertThat(get(pair.client(), table.address(), table.rkey(), 43)).hasValue(4712);
        assertThat(get(pair.client(), table.address(), table.rkey(), 44)).isEmpty();
    }

    @VerbsTest
    void aClientNeverReturnsHalfOfAChange(RcPair pair, VerbsNetwork network) throws Exception {
        MemorySegment memory = pair.server().memory();
        put(memory, 42, 4711);
        beginChange(memory, offset(42));
        memory.set(ValueLayout.JAVA_LONG, offset(42) + KEY, 106); // the same slot as 42
        network.actor("server", () -> {
            network.sleep(Duration.ofMillis(1));
            memory.set(ValueLayout.JAVA_LONG, offset(42) + VALUE, 4713);
            endChange(memory, offset(42));
        });
        var table = pair.server().region();
        assertThat(get(pair.client(), table.address(), table.rkey(), 106)).hasValue(4713);
    }
}
