package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsTest;
import java.lang.foreign.ValueLayout;

/**
 * A table that clients read by RDMA READ, without any work of the server's processor. A slot has a version, which the server makes odd
 * while it writes, so that a client that reads in between tries again.
 */
class KeyValueStoreTest {
    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = 32;
    private static final int KEY = 8;
    private static final int VALUE = 16;

    private static long offset(long key) {
        return Math.floorMod(key * 0x9E3779B97F4A7C15L, SLOTS) * (long) SLOT_BYTES;
    }

    static void put(QpEnd server, long key, long value) {
        long slot = offset(key);
        var memory = server.memory();
        long version = memory.get(ValueLayout.JAVA_LONG, slot);
        memory.set(ValueLayout.JAVA_LONG, slot, version + 1);
        memory.set(ValueLayout.JAVA_LONG, slot + KEY, key);
        memory.set(ValueLayout.JAVA_LONG, slot + VALUE, value);
        memory.set(ValueLayout.JAVA_LONG, slot, version + 2);
    }

    static long get(QpEnd client, long table, int rkey, long key) throws Exception {
        while (true) {
            client.post(r -> r.rdmaRead(table + offset(key), rkey).sge(client.region(), 0, SLOT_BYTES));
            assertThat(client.await()).isSuccess();
            var slot = client.memory();
            boolean stable = slot.get(ValueLayout.JAVA_LONG, 0) % 2 == 0;
            if (stable && slot.get(ValueLayout.JAVA_LONG, KEY) == key) {
                return slot.get(ValueLayout.JAVA_LONG, VALUE);
            }
        }
    }

    @VerbsTest
    void aClientReadsWhatTheServerPut(RcPair pair) throws Exception {
        put(pair.server(), 42, 4711);
        put(pair.server(), 43, 4712);
        var table = pair.server().region();
        if (get(pair.client(), table.address(), table.rkey(), 42) != 4711) throw new AssertionError("key 42");
        if (get(pair.client(), table.address(), table.rkey(), 43) != 4712) throw new AssertionError("key 43");
    }
}
