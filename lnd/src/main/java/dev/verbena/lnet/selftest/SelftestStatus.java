// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.verbs.Errno;

/** Status values of replies that {@code Errno} does not contain. The values are positive Linux errno numbers. */
final class SelftestStatus {

    static final int OK = 0;
    /** The session does not exist. */
    static final int ESRCH = 3;
    /** The received data differs from the test's pattern. */
    static final int EBADMSG = 74;

    private SelftestStatus() {}

    static String describe(int status) {
        return switch (status) {
            case ESRCH -> "no such session (ESRCH)";
            case EBADMSG -> "the data does not hold the pattern (EBADMSG)";
            default -> {
                Errno errno = Errno.of(status);
                yield errno.description() + " (" + errno + ")";
            }
        };
    }
}
