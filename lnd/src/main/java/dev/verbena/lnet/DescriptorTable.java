// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of a node, by wire handle if it was sent to a peer. Handles linking, exhaustion and unlinking of a
 * descriptor. Its monitor is LNet's lock: it guards the table, the portals, the state of all descriptors, and the counters.
 */
@SuppressWarnings("ReferenceEquality") // A portal is only ever itself.
final class DescriptorTable {

    private final long interfaceCookie;
    private final Portal[] portals = new Portal[Portal.COUNT];
    /** The descriptors whose handle was sent to a peer; only that peer's answer can name them. */
    private final Map<Long, MemoryDescriptor> named = new HashMap<>();

    private final Nid self;
    private final RandomGenerator random;
    private long nextCookie = 1;
    private int linked;

    /** Makes a table with a source of handles, which another process must not be able to guess. */
    DescriptorTable(Nid self, RandomGenerator random) {
        this.self = self;
        this.random = random;
        interfaceCookie = random.nextLong();
        for (int i = 0; i < portals.length; i++) {
            portals[i] = new Portal(i);
        }
    }

    Portal portal(int index) {
        return portals[index];
    }

    int size() {
        return linked;
    }

    void attach(MatchEntry entry, MemoryDescriptor md) {
        requireNew(md);
        if (entry.memoryDescriptor() != null) {
            throw new IllegalStateException(entry + " already has " + entry.memoryDescriptor() + "; unlink that first");
        }
        Portal portal = portals[entry.portal()];
        if (entry.home() == null) {
            portal.link(entry);
        } else if (entry.home() != portal) {
            throw new IllegalStateException(entry + " is in a portal of another node; make another one for this node");
        }
        entry.memoryDescriptor(md);
        register(md, entry);
    }

    void bind(MemoryDescriptor md) {
        requireNew(md);
        if (md.has(MdOption.OP_PUT) || md.has(MdOption.OP_GET)) {
            throw new IllegalArgumentException(
                    md + " serves incoming operations (OP_PUT, OP_GET); attach it to a match entry, or leave them out");
        }
        if (md.length() > Lnd.MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    md + " is longer than one LNet message may be, " + Lnd.MAX_PAYLOAD + " bytes");
        }
        register(md, null);
    }

    private static void requireNew(MemoryDescriptor md) {
        if (md.state() != MemoryDescriptor.State.NEW) {
            throw new IllegalStateException(md + " has been used already; make another one");
        }
    }

    private void register(MemoryDescriptor md, @Nullable MatchEntry entry) {
        md.link(interfaceCookie, nextCookie++, entry);
        linked++;
    }

    /**
     * Returns the handle by which a peer's answer names a free descriptor. Handles are random: a REPLY writes the
     * memory of the GET whose handle it names. So a peer must not be able to derive the handle of another peer's GET
     * from those in its own messages.
     */
    WireHandle name(MemoryDescriptor md, Nid answerer) {
        if (!named.containsKey(md.objectCookie())) {
            md.rename(random.nextLong());
            named.put(md.objectCookie(), md);
        }
        md.expectAnswer(answerer.equals(Nid.LOOPBACK) ? self : answerer);
        return md.handle();
    }

    /** The free descriptor that an ACK or REPLY is for; null if it is gone, takes none, or took no operation to that interface. */
    @Nullable MemoryDescriptor findActive(WireHandle handle, Nid from) {
        @Nullable MemoryDescriptor md = handle.interfaceCookie() == interfaceCookie ? named.get(handle.objectCookie()) : null;
        return md == null
                        || md.isThresholdReached()
                        || md.state() != MemoryDescriptor.State.BOUND
                        || !md.mayAnswer(from)
                ? null
                : md;
    }

    /** Removes a descriptor from every lookup; operations in progress continue. */
    void disconnect(MemoryDescriptor md, boolean byUser) {
        if (md.state() == MemoryDescriptor.State.UNLINKING) {
            return;
        }
        @Nullable MatchEntry entry = md.entry();
        md.startUnlinking(byUser);
        linked--;
        if (!named.isEmpty()) {
            named.remove(md.objectCookie());
        }
        if (entry != null) {
            entry.memoryDescriptor(null);
            if (entry.unlinksItself()) {
                portals[entry.portal()].unlink(entry);
            }
        }
    }

    /** Takes an entry without a descriptor out of its portal. */
    void unlink(MatchEntry entry) {
        portals[entry.portal()].unlink(entry);
    }
}
