// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/** A context that librdmacm opened, guarded, with the calls of DiSNI and the open objects that keep it from being closed. */
final class DisniContext {
    private final DisniLibrary library;
    private final IbvContext context;
    private final UseGuard guard;
    private final int descriptor;
    private final Optional<DeviceFiles.Present> present;
    private final Dependents dependents = new Dependents();

    /** A use of the context, during which it cannot be closed. */
    @FunctionalInterface
    interface Use<T> {
        T with(IbvContext context) throws VerbsException;
    }

    DisniContext(DisniLibrary library, DeviceFiles files, String device, IbvContext context) throws VerbsException {
        this.library = library;
        this.context = context;
        guard = new UseGuard("device " + device);
        descriptor = DisniLibrary.make(
                "ibv_context.cmd_fd", "asking device " + device + " for its descriptor", context::getCmd_fd);
        present = files.deviceOf(descriptor);
    }

    DisniLibrary library() {
        return library;
    }

    UseGuard guard() {
        return guard;
    }

    Dependents dependents() {
        return dependents;
    }

    /** Does something with the context while it cannot be closed. */
    <T> T whileOpen(Use<T> use) throws VerbsException {
        guard.requireEnter();
        try {
            return use.with(context);
        } finally {
            guard.exit();
        }
    }

    /** Returns whether both have the same context. librdmacm has one for each device; a later device may get its descriptor. */
    boolean isSameAs(DisniContext other) {
        return descriptor == other.descriptor && present.equals(other.present);
    }

    /** Whether the device is the one that the kernel had when this was opened. */
    boolean is(DeviceFiles.Present now) {
        return present.filter(now::equals).isPresent();
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
