// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The table of a node's memory descriptors. Unlinks exhausted memory descriptors. The monitor of this object is the node's
 * LNet lock. The LNet lock guards the table and the state of all memory descriptors, the portals, and the counters of LNet.
 */
@SuppressWarnings("ReferenceEquality") // Two portals are equal only if they are the same object.
final class DescriptorTable {

    private final long interfaceCookie;
    private final Portal[] portals = new Portal[Portal.COUNT];
    /** The memory descriptors to which an ACK or REPLY may refer, keyed by the object cookie of their wire handle. */
    private final Map<Long, MemoryDescriptor> named = new HashMap<>();

    private final Nid self;
    private final RandomGenerator random;
    private long nextCookie = 1;
    private int linked;

    /** Other processes must not be able to predict {@code random}, or they could guess a {@link WireHandle}. */
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
            throw new IllegalStateException(entry + " is in a portal of another node; create one for this node");
        }
        entry.memoryDescriptor(md);
        register(md, entry);
    }

    void bind(MemoryDescriptor md) {
        requireNew(md);
        if (md.has(MdOption.OP_PUT) || md.has(MdOption.OP_GET)) {
            throw new IllegalArgumentException(
                    md + " serves incoming operations (OP_PUT, OP_GET); attach it to a match entry, or remove them");
        }
        if (md.length() > Lnd.MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    md + " is longer than one LNet message may be, " + Lnd.MAX_PAYLOAD + " bytes");
        }
        register(md, null);
    }

    private static void requireNew(MemoryDescriptor md) {
        if (md.state() != MemoryDescriptor.State.NEW) {
            throw new IllegalStateException(md + " has been used already; create another one");
        }
    }

    private void register(MemoryDescriptor md, @Nullable MatchEntry entry) {
        md.link(interfaceCookie, nextCookie++, entry);
        linked++;
    }

    /**
     * Returns a random wire handle with which the given peer may respond. The handle in a REPLY selects the memory
     * descriptor to write. Because the wire handle is random, no other peer can guess it and forge a REPLY.
     */
    WireHandle name(MemoryDescriptor md, Nid answerer) {
        if (!named.containsKey(md.objectCookie())) {
            md.rename(random.nextLong());
            named.put(md.objectCookie(), md);
        }
        md.expectAnswer(answerer.equals(Nid.LOOPBACK) ? self : answerer);
        return md.handle();
    }

    /**
     * Returns the memory descriptor for a received ACK or REPLY, or null. The returned memory descriptor is bound, has the
     * given handle, and expects a response from the sending peer.
     */
    @Nullable MemoryDescriptor findActive(WireHandle handle, Nid from) {
        @Nullable MemoryDescriptor md = handle.interfaceCookie() == interfaceCookie ? named.get(handle.objectCookie()) : null;
        return md == null
                        || md.isThresholdReached()
                        || md.state() != MemoryDescriptor.State.BOUND
                        || !md.mayAnswer(from)
                ? null
                : md;
    }

    /** Removes a memory descriptor from this descriptor table and its portal; operations in progress continue. */
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

    void unlink(MatchEntry entry) {
        portals[entry.portal()].unlink(entry);
    }
}
