// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.verbs.Errno;

/** Statuses of replies: positive errno numbers of Linux. Only the numbers that verbs never return are defined here. */
final class SelftestStatus {

    static final int OK = 0;
    /** No such session. */
    static final int ESRCH = 3;
    /** The data does not hold the pattern. */
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
