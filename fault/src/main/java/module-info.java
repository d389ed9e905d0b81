// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * Faults in the calls and completions of any provider, for tests. A test wraps the provider in a
 * {@link dev.verbena.fault.provider.FaultyProvider}.
 */
@NullMarked
module dev.verbena.fault {
    requires transitive dev.verbena.api;

    exports dev.verbena.fault.provider;
}
