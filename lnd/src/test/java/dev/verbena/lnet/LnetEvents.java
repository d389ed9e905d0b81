// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** Makes events, which outside of tests only LNet does. */
public final class LnetEvents {
    private LnetEvents() {}

    /** An event of a SEND from a node to itself. */
    public static LnetEvent sent(MemoryDescriptor md, ProcessId self, int portal, long matchBits) {
        return new LnetEvent(LnetEventType.SEND, md, null, self, self, portal, matchBits, 0, 0, 0, 0, 0, false);
    }

    /** An event of a PUT of this length to the begin of a descriptor; perhaps its last event. */
    public static LnetEvent put(MemoryDescriptor md, ProcessId from, ProcessId to, long length, boolean last) {
        return new LnetEvent(LnetEventType.PUT, md, LnetMessageType.PUT, from, to, 0, 0, 0, length, length, 0, 0, last);
    }
}
