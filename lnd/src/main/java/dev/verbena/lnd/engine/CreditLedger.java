// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/**
 * The three counters of a connection, each from 0 to the queue depth.
 *
 * <p>Credits are receive buffers of the peer that we may fill. Outstanding credits are buffers of ours that the peer does
 * not know yet to be free again. Reserved credits are buffers of ours that are kept for answers.
 */
final class CreditLedger {

    private final int depth;
    private int credits;
    private int outstanding;
    private int reserved;

    CreditLedger(int depth) {
        this.depth = depth;
        credits = depth;
        reserved = depth;
    }

    int credits() {
        return credits;
    }

    int outstanding() {
        return outstanding;
    }

    int reserved() {
        return reserved;
    }

    /** Adds the credits of a received message. Returns false if the peer returns more than it can have. */
    boolean receive(int count) {
        if (credits + count > depth) {
            return false;
        }
        credits += count;
        return true;
    }

    boolean canSend() {
        return credits > 0;
    }

    /** Takes a credit for a message, and returns the number of credits that the message carries to the peer. */
    int send(boolean costsCredit) {
        int owed = outstanding;
        credits -= costsCredit ? 1 : 0;
        outstanding = 0;
        return owed;
    }

    void undoSend(boolean costsCredit, int owed) {
        credits += costsCredit ? 1 : 0;
        outstanding += owed;
    }

    boolean reserve() {
        if (reserved == 0) {
            return false;
        }
        reserved--;
        return true;
    }

    /** Counts a reposted buffer; false if the peer sent an answer or a request that it had no credit for. */
    boolean repost(RepostEffect effect) {
        switch (effect) {
            case NONE -> {}
            case CREDIT -> outstanding++;
            case RESERVED -> reserved++;
        }
        return outstanding <= depth && reserved <= depth;
    }
}
