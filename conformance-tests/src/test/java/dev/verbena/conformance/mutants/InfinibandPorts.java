// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes software devices appear to be on InfiniBand. Their ports have LIDs, by which a path leads to them without a
 * global route. Their GIDs are not IP addresses, and datagrams arrive without a global route header.
 */
final class InfinibandPorts implements Fault {
    /** The GID of each port by its LID, as the device beneath knows it. */
    private final Map<Integer, Gid> ports = new TreeMap<>();

    @Override
    public @Nullable Object call(Call call) throws Throwable {
        switch (call.name()) {
            case "Device.queryPort" -> {
                Device device = call.on(Device.class);
                return ((PortAttributes) call.proceed())
                        .toBuilder()
                                .linkLayer(LinkLayer.INFINIBAND)
                                .lid(lid(device))
                                .build();
            }
            case "Device.gidTable" -> {
                int lid = lid(call.on(Device.class));
                return ((List<?>) call.proceed())
                        .stream().map(entry -> linkLocal((GidEntry) entry, lid)).toList();
            }
            case "WorkCompletion.hasGlobalRoute" -> {
                return false;
            }
            case "ProtectionDomain.createAh" -> {
                if (call.has(0, AddressVector.class)) {
                    call.arguments()[0] = routed(call.argument(0, AddressVector.class));
                }
            }
            case "QueuePair.attachMulticast", "QueuePair.detachMulticast" ->
                call.arguments()[0] = Gid.parse("::ffff:239.1.2.3");
            case "QueuePair.modify" -> {
                QpAttributes attributes = Breaks.attributes(call);
                if (attributes.has(QpAttribute.AV)) {
                    call.arguments()[0] = with(attributes, routed(attributes.addressVector()));
                }
            }
            case "QueuePair.query" -> {
                QpAttributes attributes = (QpAttributes) call.proceed();
                return attributes.has(QpAttribute.AV)
                        ? with(attributes, unrouted(attributes.addressVector()))
                        : attributes;
            }
            default -> {
                // As it is.
            }
        }
        return call.proceed();
    }

    private int lid(Device device) throws Exception {
        int lid = Integer.parseInt(device.name().substring("sim".length())) + 1;
        ports.put(lid, device.gidTable(1).getFirst().gid());
        return lid;
    }

    private static GidEntry linkLocal(GidEntry entry, int lid) {
        return GidEntry.builder()
                .port(entry.port())
                .index(entry.index())
                .gid(Gid.parse("fe80::" + lid))
                .type(GidType.IB)
                .interfaceName("")
                .build();
    }

    private static QpAttributes with(QpAttributes attributes, AddressVector vector) {
        return attributes.toBuilder().addressVector(vector).build();
    }

    private AddressVector routed(AddressVector vector) {
        return AddressVector.toGid(ports.get(vector.destinationLid()), 0).toBuilder()
                .port(vector.port())
                .build();
    }

    private AddressVector unrouted(AddressVector vector) {
        Gid gid = vector.route().orElseThrow().destination();
        int lid = ports.entrySet().stream()
                .filter(port -> port.getValue().equals(gid))
                .findFirst()
                .orElseThrow()
                .getKey();
        return AddressVector.builder().port(vector.port()).destinationLid(lid).build();
    }
}
