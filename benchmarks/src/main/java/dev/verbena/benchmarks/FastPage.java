// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A {@link FastRegistrationRegion} over the first page of the memory of a {@link Link.End}. */
final class FastPage {
    static final Set<AccessFlag> ACCESS =
            Collections.unmodifiableSet(EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
    private static final int PAGE = 4096;

    private final FastRegistrationRegion region;
    private int key;

    FastPage(Link.End end) throws VerbsException {
        FastRegistration extension =
                end.device.extension(FastRegistration.class).orElseThrow();
        region = end.keep(extension.allocate(end.domain, 1, false));
        region.map(List.of(end.memory.asSlice(0, PAGE)), PAGE);
        key = region.rkey();
    }

    FastRegistrationRegion region() {
        return region;
    }

    int nextKey() {
        key = RemoteKey.increment(key);
        return key;
    }
}
