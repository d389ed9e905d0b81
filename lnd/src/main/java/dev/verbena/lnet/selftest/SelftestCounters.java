// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

/** The counters of a selftest server, accessed only under the server's lock. */
final class SelftestCounters {

    private long received;
    private long sent;
    private long failed;
    private long dropped;
    private long expired;
    private long gotBytes;
    private long putBytes;
    private long corrupt;

    void received() {
        received++;
    }

    void sent() {
        sent++;
    }

    void failed() {
        failed++;
    }

    void dropped() {
        dropped++;
    }

    void expired() {
        expired++;
    }

    void moved(BulkServer.Result result) {
        gotBytes += result.got();
        putBytes += result.put();
        corrupt += result.status() == SelftestStatus.EBADMSG ? 1 : 0;
    }

    /** Returns the counters in the reply format for a console. The reply reports 0 sent requests. */
    SelftestReply.RpcCounters onTheWire() {
        return new SelftestReply.RpcCounters(
                (int) failed, 0, (int) received, (int) dropped, (int) expired, gotBytes, putBytes);
    }

    SelftestStatistics snapshot(boolean session) {
        return new SelftestStatistics(new SelftestStatistics.Values(
                session, received, sent, failed, dropped, expired, gotBytes, putBytes, corrupt));
    }
}
