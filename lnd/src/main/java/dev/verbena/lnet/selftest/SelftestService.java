// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The services of a selftest node. The match bits of a request are the service number. Source: {@code lnetst.h}. */
enum SelftestService {
    DEBUG(0, 10),
    MAKE_SESSION(1, 0),
    REMOVE_SESSION(2, 2),
    BATCH(3, 4),
    TEST(4, 8),
    QUERY_STAT(5, 6),
    BRW(11, 12),
    PING(12, 14);

    /** The portal for the requests of ping and brw tests. */
    static final int TEST_PORTAL = 50;
    /** The portal for requests that manage sessions and batches. */
    static final int FRAMEWORK_PORTAL = 51;
    /** The portal for the replies and the bulk data of LNet selftest. */
    static final int REPLY_PORTAL = 52;

    private static final List<SelftestService> ALL = List.of(values());

    private final int number;
    private final int requestType;

    SelftestService(int number, int requestType) {
        this.number = number;
        this.requestType = requestType;
    }

    static List<SelftestService> all() {
        return ALL;
    }

    static @Nullable SelftestService numbered(int number) {
        return Arrays.stream(values())
                .filter(service -> service.number == number)
                .findFirst()
                .orElse(null);
    }

    /** Returns the service of a message type. The message type of a reply is the message type of the request plus one. */
    static @Nullable SelftestService ofType(int type) {
        return Arrays.stream(values())
                .filter(service -> service.requestType == (type & ~1))
                .findFirst()
                .orElse(null);
    }

    int number() {
        return number;
    }

    int requestType() {
        return requestType;
    }

    int replyType() {
        return requestType + 1;
    }

    boolean isTest() {
        return this == BRW || this == PING;
    }

    int portal() {
        return isTest() ? TEST_PORTAL : FRAMEWORK_PORTAL;
    }
}
