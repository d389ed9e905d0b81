// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Selects the Verbena provider that DiSNI uses in this JVM. Calling this class is optional: the first use of DiSNI selects
 * the provider that the property {@code verbena.disni.provider} names.
 */
public final class VerbenaDisni {
    private static @Nullable VerbsProvider installed;
    private static @Nullable Bridge bridge;

    private VerbenaDisni() {}

    /**
     * Selects the provider. Call {@code install} before the first use of DiSNI. The caller must close the provider after
     * the program's last use of DiSNI.
     *
     * @param provider the provider, with a {@link ConnectionManager}
     * @throws IllegalStateException if DiSNI already runs on another provider
     */
    public static synchronized void install(VerbsProvider provider) {
        if (installed != null && !installed.equals(provider)) {
            throw new IllegalStateException("DiSNI works over provider " + installed.name()
                    + " in this JVM and cannot change it: the static protection domains of RdmaEndpointProvider belong to its"
                    + " devices; use a JVM of its own for provider " + provider.name());
        }
        installed = provider;
    }

    /**
     * Returns the implementation of DiSNI's methods over the selected provider.
     *
     * @return the same object each time
     * @throws IOException if no provider has this name, or the provider cannot be used on this machine
     */
    public static synchronized Bridge bridge() throws IOException {
        if (bridge == null) {
            bridge = Calls.get(VerbenaDisni::make);
        }
        return bridge;
    }

    private static Bridge make() throws VerbsException {
        Settings settings = Settings.read();
        VerbsProvider provider = installed != null ? installed : VerbsProviders.named(settings.provider());
        if (provider.availability() instanceof Availability.Unavailable unavailable) {
            throw new VerbsException(
                    Errno.ENOSYS,
                    "RdmaProvider.provider",
                    "provider " + provider.name() + " is not available: " + unavailable.reason() + "; "
                            + unavailable.cure());
        }
        ConnectionManager manager = provider.extension(ConnectionManager.class)
                .orElseThrow(() -> new VerbsException(
                        Errno.EOPNOTSUPP,
                        "RdmaProvider.provider",
                        "provider " + provider.name() + " has no connection manager, which DiSNI needs"));
        installed = provider;
        return new Bridge(new ConnectionCalls(manager, settings), new VerbCalls());
    }
}
