package dev.verbena.lnet;

/** Makes events, which outside of tests only LNet does. */
public final class LnetEvents {
    private LnetEvents() {}

    /** An event of a SEND from a node to itself. */
    public static LnetEvent sent(MemoryDescriptor md, ProcessId self, int portal, long matchBits) {
        return new LnetEvent(LnetEventType.SEND, md, null, self, self, portal, matchBits, 0, 0, 0, 0, 0, false);
    }

    /** The last event of a descriptor: a PUT of this length at its begin. */
    public static LnetEvent lastPut(MemoryDescriptor md, ProcessId from, ProcessId to, long length) {
        return new LnetEvent(LnetEventType.PUT, md, LnetMessageType.PUT, from, to, 0, 0, 0, length, length, 0, 0, true);
    }
}
