// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.profile.SendWindow;

/**
 * The window of one requester: the number of PSNs that may be unacknowledged. Each packet loss halves the window.
 * Whenever the peer has acknowledged as many packets as the window has PSNs, the window increases by one PSN.
 */
final class Window {
    private final SendWindow limits;
    private int packets;
    private int acknowledged;

    Window(SendWindow limits) {
        this.limits = limits;
        reset();
    }

    void reset() {
        packets = limits.packets();
        acknowledged = 0;
    }

    int packets() {
        return packets;
    }

    void lost() {
        packets = Math.max(limits.leastPackets(), packets / 2);
        acknowledged = 0;
    }

    void acknowledged(int count) {
        acknowledged += count;
        if (acknowledged >= packets) {
            acknowledged = 0;
            packets = Math.min(limits.packets(), packets + 1);
        }
    }
}
