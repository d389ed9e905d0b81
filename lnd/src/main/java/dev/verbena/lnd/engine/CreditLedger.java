// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/**
 * The three credit counters of a connection, each from 0 to the queue depth. Credits are the free receive buffers of the
 * peer. Outstanding credits ({@code ibc_outstanding_credits}) are reposted receive buffers that this node has not reported
 * to the peer. Reserved credits ({@code ibc_reserved_credits}) are receive buffers that are free for the peer's responses.
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

    /** Adds a received message's credits. Returns false if the peer returned more credits than this node had used. */
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

    /** Consumes a credit if the message needs one. Returns the number of credits that the message gives to the peer. */
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

    /** Returns false if the peer had sent a message without having a credit. */
    boolean repost(RepostEffect effect) {
        switch (effect) {
            case NONE -> {}
            case CREDIT -> outstanding++;
            case RESERVED -> reserved++;
        }
        return outstanding <= depth && reserved <= depth;
    }
}
