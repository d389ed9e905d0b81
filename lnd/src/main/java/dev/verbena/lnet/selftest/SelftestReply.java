// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

/** A reply of lnet_selftest, whose {@code status} is 0 or a positive errno. */
sealed interface SelftestReply {

    SelftestService service();

    int status();

    record MakeSession(int status, SessionId session, int timeoutSeconds, String name) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.MAKE_SESSION;
        }
    }

    record RemoveSession(int status, SessionId session) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.REMOVE_SESSION;
        }
    }

    record Debug(int status, SessionId session, int timeoutSeconds, int batches, String name) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.DEBUG;
        }
    }

    record Batch(int status, SessionId session, int active, int time) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.BATCH;
        }
    }

    record QueryStat(int status, SessionId session, FrameworkCounters framework, RpcCounters rpc, LnetWireCounters lnet)
            implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.QUERY_STAT;
        }
    }

    /** The counters of the session. */
    record FrameworkCounters(int runningMillis, int activeBatches, int zombieSessions, int brwErrors, int pingErrors) {}

    /** The counters of the replying node's RPC layer since the start of the node. */
    record RpcCounters(
            int errors, int sent, int received, int dropped, int expired, long bulkGetBytes, long bulkPutBytes) {}

    /** The counters of LNet, in the order of the reply to QUERY_STAT. */
    record LnetWireCounters(
            int messages,
            int mostMessages,
            int errors,
            int sent,
            int received,
            int routed,
            int dropped,
            long sentBytes,
            long receivedBytes,
            long routedBytes,
            long droppedBytes) {}

    record AddTest(int status, SessionId session) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.TEST;
        }
    }

    record Ping(int status, int magic, int sequence) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.PING;
        }
    }

    record Brw(int status) implements SelftestReply {
        @Override
        public SelftestService service() {
            return SelftestService.BRW;
        }
    }
}
