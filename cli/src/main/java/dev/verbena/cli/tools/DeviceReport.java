// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.OdpCapabilities;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PhysicalPortState;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Prints the same lines as {@code ibv_devices} and {@code ibv_devinfo}. Attributes that the SPI lacks are printed as
 * unsupported, because no device of this library supports them.
 */
public final class DeviceReport {
    /** The flag bits of some capabilities. If a device reports no flags, its flags are computed from its capabilities. */
    private static final Map<Capability, Integer> CAP_BITS = Map.of(
            Capability.SRQ_RESIZE, 13,
            Capability.MW_TYPE_1, 17,
            Capability.FAST_REGISTRATION, 21,
            Capability.MW_TYPE_2A, 23,
            Capability.MW_TYPE_2B, 24);

    private static final List<String> ODP_GENERAL = List.of("ODP_SUPPORT", "ODP_SUPPORT_IMPLICIT");

    private static final List<String> ODP_OPERATIONS =
            List.of("SUPPORT_SEND", "SUPPORT_RECV", "SUPPORT_WRITE", "SUPPORT_READ", "SUPPORT_ATOMIC", "SUPPORT_SRQ");

    /** The names of {@code enum ibv_device_cap_flags} by their bits; a flag without a name is unknown. */
    private static final List<String> CAP_FLAGS = List.of(
            "RESIZE_MAX_WR",
            "BAD_PKEY_CNTR",
            "BAD_QKEY_CNTR",
            "RAW_MULTI",
            "AUTO_PATH_MIG",
            "CHANGE_PHY_PORT",
            "UD_AV_PORT_ENFORCE",
            "CURR_QP_STATE_MOD",
            "SHUTDOWN_PORT",
            "INIT_TYPE",
            "PORT_ACTIVE_EVENT",
            "SYS_IMAGE_GUID",
            "RC_RNR_NAK_GEN",
            "SRQ_RESIZE",
            "N_NOTIFY_CQ",
            "",
            "",
            "MEM_WINDOW",
            "UD_IP_CSUM",
            "",
            "XRC",
            "MEM_MGT_EXTENSIONS",
            "",
            "MEM_WINDOW_TYPE_2A",
            "MEM_WINDOW_TYPE_2B",
            "RC_IP_CSUM",
            "RAW_IP_CSUM",
            "",
            "",
            "MANAGED_FLOW_STEERING");

    private final Device device;
    private final NodeType node;
    private final PrintWriter out;

    private DeviceReport(Device device, NodeType node, PrintWriter out) {
        this.device = device;
        this.node = node;
        this.out = out;
    }

    /** Prints the names and GUIDs of the devices, as {@code ibv_devices} does. */
    public static void list(List<DeviceInfo> devices, PrintWriter out) {
        out.println("    device          \t   node GUID");
        out.println("    ------          \t----------------");
        for (DeviceInfo info : devices) {
            out.println(String.format(
                    Locale.ROOT,
                    "    %-16s\t%016x",
                    info.name(),
                    info.nodeGuid().value()));
        }
    }

    /** Prints the names of the devices, as {@code ibv_devinfo -l} does. */
    public static void names(List<String> names, PrintWriter out) {
        out.println(names.size() + " HCA" + (names.size() == 1 ? "" : "s") + " found:");
        names.forEach(name -> out.println("\t" + name));
        out.println();
    }

    /**
     * Prints attributes of the device, as {@code ibv_devinfo} does. The caller reads the device's node type from the
     * list of devices. If the parameter {@code only} contains a port number, the report contains only this port. In
     * {@code verbose} mode, all attributes are printed.
     */
    public static void print(Device device, NodeType node, OptionalInt only, boolean verbose, PrintWriter out)
            throws ToolException, VerbsException {
        int ports = device.attributes().physicalPortCount();
        if (only.isPresent() && (only.getAsInt() < 1 || only.getAsInt() > ports)) {
            throw new ToolException("Invalid port requested for device " + device.name() + ": " + only.getAsInt()
                    + " is not in 1.." + ports);
        }
        DeviceReport report = new DeviceReport(device, node, out);
        report.identity();
        if (verbose) {
            report.limits();
            report.onDemandPaging(device.attributes().odpCapabilities());
            report.extendedLimits();
        }
        for (int port = 1; port <= ports; port++) {
            if (only.isEmpty() || only.getAsInt() == port) {
                report.port(port, verbose);
            }
        }
    }

    /** Prints a name and a value with the spacing of {@code ibv_devinfo}. */
    private void line(String name, int tabs, Object value) {
        out.println("\t" + name + ":" + "\t".repeat(tabs) + value);
    }

    private void portLine(String name, int tabs, Object value) {
        line("\t\t" + name, tabs, value);
    }

    private static String hex(int digits, long value) {
        String text = Long.toHexString(value);
        return "0x" + "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    private static String coded(Object name, int code) {
        return name + " (" + code + ")";
    }

    private void identity() {
        DeviceAttributes has = device.attributes();
        out.println("hca_id:\t" + device.name());
        line("transport", 3, transport(node));
        if (!has.firmwareVersion().isEmpty()) {
            line("fw_ver", 4, has.firmwareVersion());
        }
        line("node_guid", 3, has.nodeGuid());
        line("sys_image_guid", 3, has.systemImageGuid());
        line("vendor_id", 3, hex(4, has.vendorId()));
        line("vendor_part_id", 3, has.vendorPartId());
        line("hw_ver", 4, hex(1, has.hardwareVersion()));
        line("phys_port_cnt", 3, has.physicalPortCount());
    }

    /** Returns the transport of a node type, as {@code ibv_get_device_list} derives it. */
    private static String transport(NodeType node) {
        return switch (node) {
            case CA, SWITCH, ROUTER -> "InfiniBand (0)";
            case RNIC -> "iWARP (1)";
            case USNIC -> "usNIC (2)";
            case USNIC_UDP -> "usNIC UDP (3)";
            case UNSPECIFIED -> "unspecified (4)";
            case UNKNOWN -> "invalid transport (-1)";
        };
    }

    private void limits() {
        DeviceAttributes has = device.attributes();
        // For an unlimited value, ibv_devinfo prints 2^64 - 1.
        line("max_mr_size", 3, hex(1, has.maxMrSize() == Long.MAX_VALUE ? -1 : has.maxMrSize()));
        line("page_size_cap", 3, hex(1, has.pageSizeCap()));
        line("max_qp", 4, has.maxQp());
        line("max_qp_wr", 3, has.maxQpWr());
        line("device_cap_flags", 2, hex(8, capFlags() & 0xFFFF_FFFFL));
        for (int bit = 0; bit < CAP_FLAGS.size(); bit++) {
            if ((capFlags() >>> bit & 1) != 0 && !CAP_FLAGS.get(bit).isEmpty()) {
                out.println("\t\t\t\t\t" + CAP_FLAGS.get(bit));
            }
        }
        line("max_sge", 3, has.maxSge());
        line("max_sge_rd", 3, has.maxSgeRd());
        line("max_cq", 4, has.maxCq());
        line("max_cqe", 3, has.maxCqe());
        line("max_mr", 4, has.maxMr());
        line("max_pd", 4, has.maxPd());
        line("max_qp_rd_atom", 3, has.maxQpRdAtom());
        line("max_ee_rd_atom", 3, "0");
        line("max_res_rd_atom", 2, has.maxResRdAtom());
        line("max_qp_init_rd_atom", 2, has.maxQpInitRdAtom());
        line("max_ee_init_rd_atom", 2, "0");
        line(
                "atomic_cap",
                3,
                coded(name(has.atomicCapability()), has.atomicCapability().code()));
        line("max_ee", 4, "0");
        line("max_rdd", 3, "0");
        line("max_mw", 4, has.maxMw());
        line("max_raw_ipv6_qp", 2, "0");
        line("max_raw_ethy_qp", 2, "0");
        line("max_mcast_grp", 3, has.maxMcastGroups());
        line("max_mcast_qp_attach", 2, has.maxMcastQpAttach());
        line("max_total_mcast_qp_attach", 1, has.maxTotalMcastQpAttach());
        line("max_ah", 4, has.maxAh());
        line("max_fmr", 3, "0");
        line("max_srq", 3, has.maxSrq());
        if (has.maxSrq() > 0) {
            line("max_srq_wr", 3, has.maxSrqWr());
            line("max_srq_sge", 3, has.maxSrqSge());
        }
        line("max_pkeys", 3, has.maxPkeys());
        line("local_ca_ack_delay", 2, has.localCaAckDelay());
    }

    private long capFlags() {
        long reported = device.attributes().capabilityFlags();
        return reported != 0
                ? reported
                : CAP_BITS.entrySet().stream()
                        .filter(each -> device.capabilities().contains(each.getKey()))
                        .mapToLong(each -> 1L << each.getValue())
                        .sum();
    }

    private static String name(AtomicCapability capability) {
        return switch (capability) {
            case NONE -> "ATOMIC_NONE";
            case HCA -> "ATOMIC_HCA";
            case GLOB -> "ATOMIC_GLOB";
            default -> "invalid atomic capability";
        };
    }

    private void onDemandPaging(OdpCapabilities odp) {
        out.println("\tgeneral_odp_caps:");
        named(odp.general(), ODP_GENERAL);
        operations("rc", odp.rc());
        operations("uc", odp.uc());
        operations("ud", odp.ud());
        operations("xrc", odp.xrc());
    }

    private void operations(String transport, int mask) {
        out.println("\t" + transport + "_odp_caps:");
        if (mask == 0) {
            out.println("\t\t\t\t\tNO SUPPORT");
        }
        named(Integer.toUnsignedLong(mask), ODP_OPERATIONS);
    }

    /** Prints the names of the bits of a mask, the lowest bit first, and then the bits without a name. */
    private void named(long mask, List<String> names) {
        for (int bit = 0; bit < names.size(); bit++) {
            if ((mask >> bit & 1) != 0) {
                out.println("\t\t\t\t\t" + names.get(bit));
            }
        }
        long unknown = mask & -1L << names.size();
        if (unknown != 0) {
            out.println(
                    "\t\t\t\t\tUnknown flags: 0x" + Long.toHexString(unknown).toUpperCase(Locale.ROOT));
        }
    }

    /** Prints offloads, rate limits and tag matching as unsupported, because the SPI lacks them. */
    private void extendedLimits() {
        out.println("\tcompletion_timestamp_mask not supported");
        out.println("\tcore clock not supported");
        line("device_cap_flags_ex", 2, hex(1, capFlags()));
        out.println("\ttso_caps:");
        line("\tmax_tso", 3, "0");
        out.println("\trss_caps:");
        line("\tmax_rwq_indirection_tables", 3, "0");
        line("\tmax_rwq_indirection_table_size", 3, "0");
        line("\trx_hash_function", 4, "0x0");
        line("\trx_hash_fields_mask", 4, "0x0");
        line("max_wq_type_rq", 3, "0");
        out.println("\tpacket_pacing_caps:");
        line("\tqp_rate_limit_min", 1, "0kbps");
        line("\tqp_rate_limit_max", 1, "0kbps");
        out.println("\ttag matching not supported");
        line("num_comp_vectors", 2, device.attributes().completionVectors());
    }

    private void port(int number, boolean verbose) throws VerbsException {
        PortAttributes port = device.queryPort(number);
        out.println("\t\tport:\t" + number);
        portLine("state", 3, coded(name(port.state()), port.stateCode()));
        portLine("max_mtu", 2, mtu(port.maxMtu()));
        portLine("active_mtu", 2, mtu(port.activeMtu()));
        portLine("sm_lid", 3, port.smLid());
        portLine("port_lid", 2, port.lid());
        portLine("port_lmc", 2, hex(2, port.lmc()));
        portLine("link_layer", 2, port.linkLayer() == LinkLayer.ETHERNET ? "Ethernet" : "InfiniBand");
        if (verbose) {
            details(number, port);
        }
        out.println();
    }

    private void details(int number, PortAttributes port) throws VerbsException {
        portLine("max_msg_sz", 2, hex(1, port.maxMessageSize()));
        portLine("port_cap_flags", 2, hex(8, port.capabilityFlags()));
        portLine("port_cap_flags2", 1, "0x0000");
        portLine("max_vl_num", 2, node == NodeType.RNIC ? "invalid value (0)" : "1 (1)");
        portLine("bad_pkey_cntr", 2, hex(1, port.badPkeyCounter()));
        portLine("qkey_viol_cntr", 2, hex(1, port.qkeyViolationCounter()));
        portLine("sm_sl", 3, port.smSl());
        portLine("pkey_tbl_len", 2, port.pkeyTableLength());
        portLine("gid_tbl_len", 2, port.gidTableLength());
        portLine("subnet_timeout", 2, port.subnetTimeout());
        portLine("init_type_reply", 1, "0");
        LinkSpeed speed = LinkSpeed.of(port);
        portLine("active_width", 2, speed.width());
        portLine("active_speed", 2, speed.lane());
        if (node != NodeType.RNIC) {
            portLine("phys_state", 2, coded(name(port.physicalState()), port.physicalStateCode()));
        }
        for (GidEntry entry : device.gidTable(number)) {
            portLine(
                    String.format(Locale.ROOT, "GID[%3d]", entry.index()),
                    2,
                    entry.gid() + (entry.type() == GidType.IB ? "" : ", RoCE v" + entry.typeCode()));
        }
    }

    private static String mtu(PathMtu mtu) {
        return coded(mtu.bytes(), mtu.code());
    }

    private static String name(PortState state) {
        return switch (state) {
            case DOWN, INIT, ARMED, ACTIVE -> "PORT_" + state;
            default -> "invalid state";
        };
    }

    private static String name(PhysicalPortState state) {
        return switch (state) {
            case SLEEP, POLLING, DISABLED, LINK_UP, LINK_ERROR_RECOVERY -> state.toString();
            case PORT_CONFIGURATION_TRAINING -> "PORT_CONFIGURATION TRAINNING";
            case PHY_TEST -> "PHY TEST";
            default -> "invalid physical state";
        };
    }
}
