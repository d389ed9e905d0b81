// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

/** An object of a device, identified by its handle. Closing the {@link Side} also closes its open objects. */
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
