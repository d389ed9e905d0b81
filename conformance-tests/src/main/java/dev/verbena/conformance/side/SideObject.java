// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

/**
 * A verbs object that is identified by a number, called its handle. When a {@link Side} is closed, all objects of its
 * device are closed.
 */
public abstract class SideObject {
    private final Side side;
    private final int handle;

    SideObject(Side side, int handle) {
        this.side = side;
        this.handle = handle;
    }

    public final Side side() {
        return side;
    }

    public final int handle() {
        return handle;
    }

    /** Closes the object; throws {@link Refused} if the provider throws an exception. */
    public final void close() {
        side.perform(new Step.Close(handle));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + handle + " of " + side;
    }
}
