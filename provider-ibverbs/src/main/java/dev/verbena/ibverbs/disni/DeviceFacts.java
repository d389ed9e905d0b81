// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.SystemPage;
import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Reads a device's attributes from sysfs, because DiSNI does not report these attributes. For each limit, this class
 * reports the lowest value among the RDMA adapters in common use.
 */
final class DeviceFacts {
    /** The maximum number of scatter/gather entries per work request; libdisni sets it for each queue pair. */
    static final int ENTRIES = 4;

    /** The maximum length of a message, memory region or SGE. DiSNI declares these lengths as {@code int}. */
    static final long MAX_LENGTH = Integer.MAX_VALUE;

    static final Set<Capability> CAPABILITIES = Collections.unmodifiableSet(EnumSet.of(
            Capability.RC,
            Capability.RDMA_READ,
            Capability.IMMEDIATE_DATA,
            Capability.INLINE_DATA,
            Capability.COMPLETION_CHANNEL,
            Capability.SOLICITED_EVENTS,
            Capability.GLOBAL_ROUTING));

    private static final int QUEUE_REQUESTS = 1024;
    private static final int QUEUE_COMPLETIONS = 8192;
    private static final int OBJECTS = 1024;
    private static final long PAGE_SIZES = 4096;

    /**
     * The length in bytes of the RoCE headers in a frame, as in the kernel's {@code iboe_get_mtu}: GRH (40), UDP (8),
     * BTH (12), XRCETH (4), AtomicETH (28) and ICRC (4).
     */
    private static final int ROCE_HEADERS = 96;

    private static final int MBPS_IN_GBPS = 1000;

    private final DeviceFiles files;
    private final String device;
    private final Map<Integer, GidTable> gidTables = new ConcurrentHashMap<>();

    DeviceFacts(DeviceFiles files, String device) {
        this.files = files;
        this.device = device;
    }

    DeviceAttributes attributes(int completionVectors) {
        return DeviceAttributes.builder()
                .firmwareVersion(files.text(device, "fw_ver"))
                .nodeGuid(files.guid(device, "node_guid"))
                .systemImageGuid(files.guid(device, "sys_image_guid"))
                .maxMrSize(MAX_LENGTH)
                .pageSizeCap(PAGE_SIZES)
                .systemPageSize(SystemPage.size())
                .vendorId(0)
                .vendorPartId(0)
                .hardwareVersion(DeviceFiles.number(files.text(device, "hw_rev"), 0))
                .maxQp(OBJECTS)
                .maxQpWr(QUEUE_REQUESTS)
                .maxSge(ENTRIES)
                .maxSgeRd(1)
                .maxCq(OBJECTS)
                .maxCqe(QUEUE_COMPLETIONS)
                .maxMr(OBJECTS)
                .maxMw(0)
                .maxPd(OBJECTS)
                .maxQpRdAtom(1)
                .maxQpInitRdAtom(1)
                .maxResRdAtom(OBJECTS)
                .atomicCapability(AtomicCapability.NONE)
                .maxMcastGroups(0)
                .maxMcastQpAttach(0)
                .maxTotalMcastQpAttach(0)
                .maxAh(0)
                .maxSrq(0)
                .maxSrqWr(0)
                .maxSrqSge(0)
                .maxPkeys(Math.max(1, files.list(device, "ports/1/pkeys").size()))
                .localCaAckDelay(0)
                .physicalPortCount(files.ports(device))
                .completionVectors(Math.max(1, completionVectors))
                .build();
    }

    PortAttributes port(int port) {
        LinkLayer layer = text(port, "link_layer").equals("Ethernet") ? LinkLayer.ETHERNET : LinkLayer.INFINIBAND;
        return PortAttributes.builder()
                .stateCode(number(port, "state"))
                .physicalStateCode(number(port, "phys_state"))
                .maxMtu(PathMtu.MTU_4096)
                .activeMtu(activeMtu(port, layer))
                .gidTableLength(files.list(device, "ports/" + port + "/gids").size())
                .pkeyTableLength(files.list(device, "ports/" + port + "/pkeys").size())
                .maxMessageSize(MAX_LENGTH)
                .lid(number(port, "lid"))
                .smLid(number(port, "sm_lid"))
                .lmc(number(port, "lid_mask_count") & 7)
                .smSl(number(port, "sm_sl") & 15)
                .linkLayer(layer)
                .capabilityFlags(number(port, "cap_mask"))
                .badPkeyCounter(0)
                .qkeyViolationCounter(0)
                .activeSpeedMbps(speed(text(port, "rate")))
                .subnetTimeout(0)
                .build();
    }

    private String text(int port, String file) {
        return files.text(device, "ports/" + port + "/" + file);
    }

    private int number(int port, String file) {
        return DeviceFiles.number(text(port, file), 0);
    }

    /**
     * Returns the active MTU, which no file in sysfs contains. On Ethernet, the active MTU is computed from the MTU of
     * the interface. On other link layers, the active MTU is unknown, and the result is the smallest MTU.
     */
    private PathMtu activeMtu(int port, LinkLayer layer) {
        if (layer != LinkLayer.ETHERNET) {
            return PathMtu.MTU_256;
        }
        return gids(port).stream()
                .map(entry -> files.interfaceMtu(entry.interfaceName()) - ROCE_HEADERS)
                .flatMap(bytes -> PathMtu.largestNotAbove(bytes).stream())
                .findFirst()
                .orElse(PathMtu.MTU_256);
    }

    /** Parses the text of a port's rate, such as "100 Gb/sec (4X EDR)". */
    private static long speed(String rate) {
        try {
            return Math.round(Double.parseDouble(rate.split(" ", -1)[0]) * MBPS_IN_GBPS);
        } catch (NumberFormatException unreadable) {
            return 0;
        }
    }

    /**
     * A GID table, with the interface addresses, port state and LID that were valid when the table was read. The kernel's
     * GIDs depend on these values.
     */
    private record GidTable(Map<String, Set<InetAddress>> addresses, String state, String lid, List<GidEntry> entries) {
        boolean isMadeFrom(Map<String, Set<InetAddress>> now, String stateNow, String lidNow) {
            return addresses.equals(now) && state.equals(stateNow) && lid.equals(lidNow);
        }

        /**
         * Returns whether the GID table is complete. A complete GID table has a GID for every IP address of each network
         * interface in its entries. The kernel adds a GID some time after a network interface gets an IP address.
         */
        boolean isComplete() {
            Set<Gid> there = entries.stream().map(GidEntry::gid).collect(Collectors.toSet());
            return entries.stream()
                    .flatMap(entry -> addresses.getOrDefault(entry.interfaceName(), Set.of()).stream())
                    .map(Gid::ofAddress)
                    .allMatch(there::contains);
        }
    }

    /**
     * Returns the GID table of a port. A GID table of 1,024 entries consists of 3,072 files in sysfs. {@code DeviceFacts}
     * stores each complete GID table, to read sysfs less often. The sysfs files are read again only if no GID table is
     * stored, or if the interface addresses, the port state or the LID have changed.
     */
    List<GidEntry> gids(int port) {
        Map<String, Set<InetAddress>> addresses = files.interfaceAddresses();
        String state = text(port, "state");
        String lid = text(port, "lid");
        GidTable known = gidTables.get(port);
        if (known == null || !known.isMadeFrom(addresses, state, lid)) {
            known = new GidTable(addresses, state, lid, readGids(port));
            if (known.isComplete()) {
                gidTables.put(port, known);
            }
        }
        return known.entries();
    }

    private List<GidEntry> readGids(int port) {
        List<GidEntry> table = new ArrayList<>();
        for (String index : files.list(device, "ports/" + port + "/gids")) {
            DeviceFiles.gid(text(port, "gids/" + index))
                    .ifPresent(gid -> table.add(GidEntry.builder()
                            .port(port)
                            .index(DeviceFiles.number(index, 0))
                            .gid(gid)
                            .type(type(port, text(port, "gid_attrs/types/" + index)))
                            .interfaceName(text(port, "gid_attrs/ndevs/" + index))
                            .build()));
        }
        return List.copyOf(table);
    }

    private GidType type(int port, String text) {
        if (text.equals("RoCE v2")) {
            return GidType.ROCE_V2;
        }
        return text(port, "link_layer").equals("Ethernet") ? GidType.ROCE_V1 : GidType.IB;
    }

    int pkey(int port, int index) throws VerbsException {
        return Optional.of(text(port, "pkeys/" + index))
                .filter(text -> !text.isEmpty())
                .map(text -> DeviceFiles.number(text, 0))
                .orElseThrow(() -> Refusals.invalid(
                        "ibv_query_pkey",
                        "port " + port + " of device " + device + " has no P_Key " + index
                                + "; see PortAttributes.pkeyTableLength()"));
    }
}
