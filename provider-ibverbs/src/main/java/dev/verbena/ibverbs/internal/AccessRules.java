// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

public final class AccessRules {
    private AccessRules() {}

    /**
     * Checks the access rights for registering a memory region. Throws {@code EOPNOTSUPP} if the device lacks an access
     * right, and {@code EINVAL} if the combination of rights is not allowed. Every error message names the C function, and
     * the message for {@code EOPNOTSUPP} also names the {@code device}.
     */
    public static void check(Set<AccessFlag> access, Predicate<AccessFlag> supported, String verb, Object device)
            throws VerbsException {
        Set<AccessFlag> missing = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : access) {
            if (!supported.test(flag)) {
                missing.add(flag);
            }
        }
        if (!missing.isEmpty()) {
            throw new VerbsException(Errno.EOPNOTSUPP, verb, device + " has no " + missing);
        }
        boolean remoteChanges = access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC);
        if (remoteChanges && !access.contains(AccessFlag.LOCAL_WRITE)) {
            throw Refusals.invalid(verb, "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE; add it");
        }
    }
}
