// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.verbs.Errno;

/** The statuses of replies: positive errno numbers of Linux. Only numbers that {@code Errno} lacks are defined here. */
final class SelftestStatus {

    static final int OK = 0;
    /** The session does not exist. */
    static final int ESRCH = 3;
    /** The data differs from the pattern. */
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
