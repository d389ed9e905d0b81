// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.lnet;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnet.DropReason;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.LnetStatistics;
import dev.verbena.lnet.selftest.SelftestStatistics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

public final class NodeCounters {

    private NodeCounters() {}

    /** Returns the names and values of all counters of a node, in a fixed order. */
    public static Map<String, Long> read(LnetNode node, SelftestStatistics selftest) {
        Map<String, Long> all = new LinkedHashMap<>();
        addLnet(all, node.lnetStatistics());
        all.put("up", node.isUp() ? 1L : 0L);
        addDriver(all, node.statistics());
        all.put("selftest_requests", selftest.received());
        all.put("selftest_get_bytes", selftest.gotBytes());
        all.put("selftest_put_bytes", selftest.putBytes());
        all.put("selftest_corrupt", selftest.corrupt());
        return all;
    }

    private static void addLnet(Map<String, Long> all, LnetStatistics lnet) {
        for (LnetMessageType type : LnetMessageType.values()) {
            add(all, "send_" + name(type), lnet.sent(type));
            add(all, "recv_" + name(type), lnet.received(type));
        }
        all.put("send_length", lnet.sentBytes());
        all.put("recv_length", lnet.receivedBytes());
        for (DropReason reason : DropReason.values()) {
            add(all, "drop_" + name(reason), lnet.dropped(reason));
        }
        for (HealthClass health : HealthClass.values()) {
            add(all, "ended_" + name(health), lnet.ended(health));
        }
        all.put("peers_lost", lnet.peersLost());
    }

    private static void addDriver(Map<String, Long> all, O2ibStatistics driver) {
        driver.sent().forEach((type, count) -> add(all, "lnd_send_" + name(type), count));
        driver.received().forEach((type, count) -> add(all, "lnd_recv_" + name(type), count));
        driver.completions().forEach((status, count) -> add(all, "completion_" + name(status), count));
        driver.rejectsSent().forEach((reason, count) -> add(all, "reject_sent_" + name(reason), count));
        driver.rejectsReceived().forEach((reason, count) -> add(all, "reject_recv_" + name(reason), count));
        all.put("rdma_writes", driver.rdmaWrites());
        all.put("rdma_bytes", driver.rdmaBytes());
        all.put("bounced", driver.bounced());
        all.put("established", driver.established());
        all.put("closed_with_error", driver.closedWithError());
        all.put("defects", driver.defects());
        all.put("ignored", driver.ignored());
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void add(Map<String, Long> all, String name, long count) {
        if (count != 0) {
            all.put(name, count);
        }
    }
}
