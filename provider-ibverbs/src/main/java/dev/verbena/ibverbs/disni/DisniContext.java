// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/**
 * A device context that librdmacm opened, with the DiSNI library and the list of objects that must be closed before the
 * context. A {@link UseGuard} delays closing the device context until all calls have returned.
 */
final class DisniContext {
    private final DisniLibrary library;
    private final IbvContext context;
    private final UseGuard guard;
    private final int descriptor;
    private final Optional<DeviceFiles.Present> present;
    private final Dependents dependents = new Dependents();

    @FunctionalInterface
    interface Use<T> {
        T with(IbvContext context) throws VerbsException;
    }

    DisniContext(DisniLibrary library, DeviceFiles files, String device, IbvContext context) throws VerbsException {
        this.library = library;
        this.context = context;
        guard = new UseGuard("device " + device);
        descriptor = DisniLibrary.make(
                "ibv_context.cmd_fd", "reading the descriptor of device " + device, context::getCmd_fd);
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

    /** Calls {@code use} with the device context, which no thread can close before {@code use} returns. */
    <T> T whileOpen(Use<T> use) throws VerbsException {
        guard.requireEnter();
        try {
            return use.with(context);
        } finally {
            guard.exit();
        }
    }

    /**
     * Returns whether two objects refer to the same context. The file descriptor alone does not identify a context,
     * because a later device may have the same file descriptor. librdmacm opens only one context for each device.
     */
    boolean isSameAs(DisniContext other) {
        return descriptor == other.descriptor && present.equals(other.present);
    }

    /** Returns whether this context was opened for the given device. */
    boolean is(DeviceFiles.Present now) {
        return present.filter(now::equals).isPresent();
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
