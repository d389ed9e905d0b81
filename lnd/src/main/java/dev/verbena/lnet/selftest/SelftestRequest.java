// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

/** A request of lnet_selftest. The reply must have the match bits {@code replyBits}. All counts are unsigned. */
sealed interface SelftestRequest {

    SelftestService service();

    long replyBits();

    record MakeSession(long replyBits, SessionId session, boolean force, String name) implements SelftestRequest {
        @Override
        public SelftestService service() {
            return SelftestService.MAKE_SESSION;
        }
    }

    record RemoveSession(long replyBits, SessionId session) implements SelftestRequest {
        @Override
        public SelftestService service() {
            return SelftestService.REMOVE_SESSION;
        }
    }

    record Debug(long replyBits, SessionId session, int flags) implements SelftestRequest {
        @Override
        public SelftestService service() {
            return SelftestService.DEBUG;
        }
    }

    record Batch(long replyBits, SessionId session, long batch, int opcode, int test, int argument)
            implements SelftestRequest {
        static final int RUN = 1;
        static final int STOP = 2;
        static final int QUERY = 3;

        @Override
        public SelftestService service() {
            return SelftestService.BATCH;
        }
    }

    record QueryStat(long replyBits, SessionId session, int type) implements SelftestRequest {
        @Override
        public SelftestService service() {
            return SelftestService.QUERY_STAT;
        }
    }

    /**
     * A request to add a test to a selftest batch (a list of tests).
     *
     * @param bulkBits the match bits with which a test client GETs the list of processes to test; 0 for a test server
     * @param tested the number of the service under test
     * @param parameters the parameters of a brw test; all zeros for a ping test
     */
    record AddTest(
            long replyBits,
            long bulkBits,
            SessionId session,
            long batch,
            int tested,
            int loop,
            int concurrency,
            boolean client,
            boolean stopOnError,
            int destinations,
            BrwParameters parameters)
            implements SelftestRequest {
        @Override
        public SelftestService service() {
            return SelftestService.TEST;
        }
    }

    /** A brw test has a {@link Brw} opcode, a {@link DataCheck}, a length in bytes, and an offset in a page. */
    record BrwParameters(int opcode, int check, int length, int offset) {
        static final BrwParameters NONE = new BrwParameters(0, 0, 0, 0);
    }

    record Ping(long replyBits, int magic, int sequence, long seconds, long nanos) implements SelftestRequest {
        static final int MAGIC = 0xbabeface;

        @Override
        public SelftestService service() {
            return SelftestService.PING;
        }
    }

    record Brw(long replyBits, long bulkBits, int opcode, int length, int check) implements SelftestRequest {
        /** The server sends the test data to the client by PUT. */
        static final int READ = 1;
        /** The server fetches the test data from the client by GET. */
        static final int WRITE = 2;

        @Override
        public SelftestService service() {
            return SelftestService.BRW;
        }
    }
}
