// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.PortAttributes;

/**
 * The link width and the lane speed of a port, as {@code ibv_devinfo -v} prints them.
 *
 * @param width such as {@code 4X (2)}, with {@code active_width} in parentheses
 * @param lane such as {@code 25.0 Gbps (32)}, with {@code active_speed} in parentheses
 */
record LinkSpeed(String width, String lane) {
    private enum Width {
        X1(1, 1),
        X2(2, 16),
        X4(4, 2),
        X8(8, 4),
        X12(12, 8);

        private final int lanes;
        private final int code;

        Width(int lanes, int code) {
            this.lanes = lanes;
            this.code = code;
        }

        @Override
        public String toString() {
            return lanes + "X (" + code + ")";
        }
    }

    /** QDR comes before FDR10, because a port that reports no code more probably has QDR. */
    private enum Lane {
        SDR(2_500, 1),
        DDR(5_000, 2),
        QDR(10_000, 4),
        FDR10(10_000, 8),
        FDR(14_000, 16),
        EDR(25_000, 32),
        HDR(50_000, 64),
        NDR(100_000, 128),
        XDR(200_000, 256);

        private final int mbps;
        private final int code;

        Lane(int mbps, int code) {
            this.mbps = mbps;
            this.code = code;
        }

        @Override
        public String toString() {
            return mbps / 1000.0 + " Gbps (" + code + ")";
        }
    }

    /** If the port reports no codes, the result has the smallest width that gives the port's speed. */
    static LinkSpeed of(PortAttributes port) {
        return port.activeWidthCode() == 0 && port.activeSpeedCode() == 0
                ? of(port.activeSpeedMbps())
                : new LinkSpeed(width(port.activeWidthCode()), lane(port.activeSpeedCode()));
    }

    private static LinkSpeed of(long mbps) {
        for (Width width : Width.values()) {
            for (Lane lane : Lane.values()) {
                if ((long) width.lanes * lane.mbps == mbps) {
                    return new LinkSpeed(width.toString(), lane.toString());
                }
            }
        }
        return new LinkSpeed(width(0), lane(0));
    }

    private static String width(int code) {
        for (Width width : Width.values()) {
            if (width.code == code) {
                return width.toString();
            }
        }
        return "invalid width (" + code + ")";
    }

    private static String lane(int code) {
        for (Lane lane : Lane.values()) {
            if (lane.code == code) {
                return lane.toString();
            }
        }
        return "invalid speed (" + code + ")";
    }
}
