package dev.verbena.spi;

import dev.verbena.verbs.WorkCompletion;

/** A completion of a connected queue pair without immediate data and invalidated keys. For one thread at a time. */
public abstract class AbstractWorkCompletion implements WorkCompletion {
    /** Makes a completion. */
    protected AbstractWorkCompletion() {}

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public boolean hasImmediateData() {
        return false;
    }

    @Override
    public int immediateData() {
        return 0;
    }

    @Override
    public boolean hasInvalidatedRkey() {
        return false;
    }

    @Override
    public int invalidatedRkey() {
        return 0;
    }

    @Override
    public int sourceQp() {
        return 0;
    }

    @Override
    public boolean hasGlobalRoute() {
        return false;
    }

    @Override
    public int pkeyIndex() {
        return 0;
    }

    @Override
    public int sourceLid() {
        return 0;
    }

    @Override
    public int serviceLevel() {
        return 0;
    }

    @Override
    public int destinationPathBits() {
        return 0;
    }

    @Override
    public String toString() {
        return "completion of request " + workRequestId() + " on QP " + qpNumber() + ": " + status();
    }
}
