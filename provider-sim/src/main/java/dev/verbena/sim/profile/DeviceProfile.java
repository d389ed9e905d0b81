// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.OdpCapabilities;
import dev.verbena.verbs.SendOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The immutable properties of a software device: limits, capabilities and deviations from the InfiniBand specification.
 * Preset profiles exist for common devices; the builder of {@link #toBuilder()} changes individual properties. A preset
 * profile has no node GUID, because each device gets a node GUID when it is created.
 */
public final class DeviceProfile {

    /** The smallest queue pair number, as in rxe ({@code RXE_MIN_QP_INDEX}). */
    public static final int LEAST_QPN = 17;

    /** The largest queue pair number of a software device. */
    public static final int LARGEST_QPN = 1_048_576;

    private static final long MAX_MESSAGE = 1L << 31;

    private final DeviceAttributes attributes;
    private final Set<Capability> capabilities;
    private final long maxMessageSize;
    private final Set<Quirk> quirks;
    private final SendWindow sendWindow;
    private final Placement placement;
    private final Pinning pinning;
    private final OptionalInt firstQpn;

    private DeviceProfile(
            DeviceAttributes attributes,
            Set<Capability> capabilities,
            long maxMessageSize,
            Set<Quirk> quirks,
            SendWindow sendWindow,
            Placement placement,
            Pinning pinning,
            OptionalInt firstQpn) {
        if (maxMessageSize < 1 || maxMessageSize > MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "maxMessageSize is " + maxMessageSize + "; it must be 1 to " + MAX_MESSAGE);
        }
        firstQpn.ifPresent(number -> {
            if (number < LEAST_QPN || number > LARGEST_QPN) {
                throw new IllegalArgumentException(
                        "firstQpn is " + number + "; it must be " + LEAST_QPN + " to " + LARGEST_QPN);
            }
        });
        this.attributes = attributes;
        this.capabilities = copyOf(Capability.class, capabilities);
        this.maxMessageSize = maxMessageSize;
        this.quirks = copyOf(Quirk.class, quirks);
        this.sendWindow = sendWindow;
        this.placement = placement;
        this.pinning = pinning;
        this.firstQpn = firstQpn;
    }

    /** The attributes of a device profile as one record, for {@code equals}, {@code hashCode} and {@code toString}. */
    private record Values(
            DeviceAttributes attributes,
            Set<Capability> capabilities,
            long maxMessageSize,
            Set<Quirk> quirks,
            SendWindow sendWindow,
            Placement placement,
            Pinning pinning,
            OptionalInt firstQpn) {}

    private Values values() {
        return new Values(attributes, capabilities, maxMessageSize, quirks, sendWindow, placement, pinning, firstQpn);
    }

    /** {@return the limits of the device} */
    public DeviceAttributes attributes() {
        return attributes;
    }

    /** {@return the capabilities of the device; the device refuses requests that need any other capability} */
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /** {@return the length of the longest message in bytes, up to 2^31} */
    public long maxMessageSize() {
        return maxMessageSize;
    }

    /** {@return the deviations of the device from the InfiniBand specification} */
    public Set<Quirk> quirks() {
        return quirks;
    }

    /** {@return the number of packets that a reliable connection may have in flight} */
    public SendWindow sendWindow() {
        return sendWindow;
    }

    /** {@return the time when the bytes of a message become visible in memory} */
    public Placement placement() {
        return placement;
    }

    /** {@return the maximum size of memory registered with the device, and the duration of a registration} */
    public Pinning pinning() {
        return pinning;
    }

    /**
     * Returns the QPN of the device's first queue pair. If {@code firstQpn()} is empty, the device draws this QPN from a
     * random number generator of its {@code SimRuntime}. With a random first QPN, a peer of a restarted process does not
     * mistake the new queue pairs for queue pairs of the former process.
     *
     * @return {@link #LEAST_QPN} to {@link #LARGEST_QPN}, or empty
     */
    public OptionalInt firstQpn() {
        return firstQpn;
    }

    /** Returns a copy of the set. The copy iterates in the order of the enum constants. */
    private static <E extends Enum<E>> Set<E> copyOf(Class<E> type, Set<E> set) {
        Set<E> own = EnumSet.noneOf(type);
        own.addAll(set);
        return Collections.unmodifiableSet(own);
    }

    /**
     * Returns the default profile of a software device: the behavior that the InfiniBand specification requires, even where
     * Soft-RoCE deviates from the specification.
     *
     * <ul>
     *   <li>Most limits equal Soft-RoCE's limits. As in Soft-RoCE, queues hold 2^k - 1 entries, and in each send WQE
     *       the scatter-gather entries and the inline data share one area.
     *   <li>Reliable connections support SEND (also with immediate or invalidate), RDMA WRITE (also with immediate),
     *       RDMA READ, atomics, ATOMIC_WRITE, FLUSH to global visibility, inline data, and draining of the send queue.
     *   <li>Unreliable connections support SEND and RDMA WRITE, each with or without immediate data.
     *   <li>UD, multicast and address handles are supported; an address handle can be created from the completion of a
     *       received datagram.
     *   <li>Shared receive queues support the SRQ limit ({@code srq_limit}), and can be resized.
     *   <li>Completion channels, handlers, solicited events, resizing of completion queues and asynchronous events are
     *       supported.
     *   <li>Memory regions may have any iova, be zero-based or on-demand, and can be reregistered. Memory windows of types
     *       1 and 2B, FMR, and fast registration ({@code IB_MR_TYPE_MEM_REG} and {@code IB_MR_TYPE_SG_GAPS}) are supported.
     *   <li>The default device has no quirks, and reduces its send window after packet losses. The default device writes
     *       received bytes to memory immediately ({@link Placement#IMMEDIATE}).
     * </ul>
     *
     * @return the default profile
     */
    public static DeviceProfile specification() {
        return new DeviceProfile(
                SpecificationDevice.attributes(),
                SpecificationDevice.capabilities(),
                MAX_MESSAGE,
                EnumSet.noneOf(Quirk.class),
                SendWindow.ADAPTIVE,
                Placement.IMMEDIATE,
                Pinning.FREE,
                OptionalInt.empty());
    }

    /**
     * Returns a profile that emulates Linux Soft-RoCE: the default profile with every {@link Quirk}, a send window of fixed
     * size, and the device attributes that rdma_rxe reports. The profile of Soft-RoCE excludes the capabilities that
     * rdma_rxe lacks: zero-based and on-demand memory regions, type 2A memory windows, fast registration with {@code
     * IB_MR_TYPE_SG_GAPS}, FMR, and CQ moderation.
     *
     * @return the profile of Linux Soft-RoCE
     */
    public static DeviceProfile softRoce() {
        DeviceProfile base = specification();
        return base.toBuilder()
                .attributes(base.attributes.toBuilder()
                        .firmwareVersion("0.0.0")
                        .maxPkeys(64)
                        .maxCqModerationCount(0)
                        .maxCqModerationPeriod(0)
                        .odpCapabilities(OdpCapabilities.NONE)
                        .build())
                .without(
                        Capability.ZERO_BASED_MR,
                        Capability.ON_DEMAND_PAGING,
                        Capability.MW_TYPE_2A,
                        Capability.FAST_REGISTRATION_GAPS,
                        Capability.FMR,
                        Capability.CQ_MODERATION)
                .with(Quirk.values())
                .sendWindow(SendWindow.FIXED)
                .firstQpn(LEAST_QPN)
                .build();
    }

    /**
     * Returns the profile of a device that supports unreliable connections only, as RDMA over Thunderbolt does. The UC
     * profile is the default profile without RC, UD, multicast, and the capabilities that need RC: READ, atomics,
     * ATOMIC_WRITE, FLUSH, invalidation, type 2 memory windows and fast registration.
     *
     * @return the profile of a UC device
     */
    public static DeviceProfile ucOnly() {
        DeviceProfile base = specification();
        return base.toBuilder()
                .attributes(base.attributes.toBuilder()
                        .maxQpRdAtom(0)
                        .maxQpInitRdAtom(0)
                        .maxResRdAtom(0)
                        .atomicCapability(AtomicCapability.NONE)
                        .maxMcastGroups(0)
                        .maxMcastQpAttach(0)
                        .maxTotalMcastQpAttach(0)
                        .maxAh(0)
                        .maxFastRegPageListLength(0)
                        .odpCapabilities(
                                new OdpCapabilities(OdpCapabilities.SUPPORT, 0, SpecificationDevice.UC_ODP, 0, 0))
                        .build())
                .without(
                        Capability.RC,
                        Capability.RDMA_READ,
                        Capability.ATOMICS,
                        Capability.ATOMIC_WRITE,
                        Capability.FLUSH,
                        Capability.SEND_WITH_INV,
                        Capability.MW_TYPE_2A,
                        Capability.MW_TYPE_2B,
                        Capability.FAST_REGISTRATION,
                        Capability.FAST_REGISTRATION_GAPS,
                        Capability.UD,
                        Capability.UD_MULTICAST,
                        Capability.AH_FROM_COMPLETION)
                .build();
    }

    /** {@return a new builder that starts from this profile} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * {@return a copy of this profile with one GUID as node GUID and as system image GUID}
     *
     * @param guid a GUID that is unique on its fabric
     */
    public DeviceProfile withGuid(Guid guid) {
        return toBuilder()
                .attributes(attributes.toBuilder()
                        .nodeGuid(guid)
                        .systemImageGuid(guid)
                        .build())
                .build();
    }

    /**
     * {@return whether the device has all capabilities that an operation needs}
     *
     * @param opcode the operation to be posted
     */
    public boolean supports(SendOpcode opcode) {
        return switch (opcode) {
            case SEND, RDMA_WRITE -> true;
            case SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> capabilities.contains(Capability.IMMEDIATE_DATA);
            case RDMA_READ -> capabilities.contains(Capability.RDMA_READ);
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> capabilities.contains(Capability.ATOMICS);
            case ATOMIC_WRITE -> capabilities.contains(Capability.ATOMIC_WRITE);
            case FLUSH -> capabilities.contains(Capability.FLUSH);
            case SEND_WITH_INV -> capabilities.contains(Capability.SEND_WITH_INV);
            case BIND_MW ->
                capabilities.contains(Capability.MW_TYPE_1)
                        || capabilities.contains(Capability.MW_TYPE_2A)
                        || capabilities.contains(Capability.MW_TYPE_2B);
            case REG_MR -> capabilities.contains(Capability.FAST_REGISTRATION);
            case LOCAL_INV ->
                capabilities.contains(Capability.FAST_REGISTRATION)
                        || capabilities.contains(Capability.MW_TYPE_2A)
                        || capabilities.contains(Capability.MW_TYPE_2B);
        };
    }

    /** {@return the quirks as a mask, the sum of {@link Quirk#mask()}} */
    public long quirkMask() {
        long mask = 0;
        for (Quirk quirk : quirks) {
            mask |= quirk.mask();
        }
        return mask;
    }

    /** Changes a profile. A builder is not thread-safe. */
    public static final class Builder {
        private DeviceAttributes attributes;
        private final Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        private long maxMessageSize;
        private final Set<Quirk> quirks = EnumSet.noneOf(Quirk.class);
        private SendWindow sendWindow;
        private Placement placement;
        private Pinning pinning;
        private OptionalInt firstQpn;

        private Builder(DeviceProfile from) {
            attributes = from.attributes;
            capabilities.addAll(from.capabilities);
            maxMessageSize = from.maxMessageSize;
            quirks.addAll(from.quirks);
            sendWindow = from.sendWindow;
            placement = from.placement;
            pinning = from.pinning;
            firstQpn = from.firstQpn;
        }

        /**
         * Sets the limits.
         *
         * @param value all limits; start from {@link DeviceProfile#attributes()}
         * @return this builder
         */
        public Builder attributes(DeviceAttributes value) {
            attributes = value;
            return this;
        }

        /**
         * Adds capabilities to those of the device.
         *
         * @param values the capabilities to add
         * @return this builder
         */
        public Builder with(Capability... values) {
            Collections.addAll(capabilities, values);
            return this;
        }

        /**
         * Removes capabilities.
         *
         * @param values the capabilities to remove
         * @return this builder
         */
        public Builder without(Capability... values) {
            for (Capability value : values) {
                capabilities.remove(value);
            }
            return this;
        }

        /**
         * Adds deviations from the InfiniBand specification.
         *
         * @param values the quirks to switch on
         * @return this builder
         */
        public Builder with(Quirk... values) {
            Collections.addAll(quirks, values);
            return this;
        }

        /**
         * Removes deviations from the InfiniBand specification.
         *
         * @param values the quirks to switch off
         * @return this builder
         */
        public Builder without(Quirk... values) {
            for (Quirk value : values) {
                quirks.remove(value);
            }
            return this;
        }

        /**
         * Sets the length of the longest message.
         *
         * @param bytes the length in bytes; see {@link DeviceProfile#maxMessageSize()}
         * @return this builder
         */
        public Builder maxMessageSize(long bytes) {
            maxMessageSize = bytes;
            return this;
        }

        /**
         * Sets the number of packets that each reliable connection may have in flight.
         *
         * @param value the limits of the send window; see {@link DeviceProfile#sendWindow()}
         * @return this builder
         */
        public Builder sendWindow(SendWindow value) {
            sendWindow = value;
            return this;
        }

        /**
         * Sets the time at which the bytes of a message become visible in memory.
         *
         * @param value {@link Placement#IMMEDIATE} or {@link Placement#ADVERSARIAL}
         * @return this builder
         */
        public Builder placement(Placement value) {
            placement = value;
            return this;
        }

        /**
         * Sets the limit of registered memory and the duration of a registration.
         *
         * @param value the limit of registered memory and the duration of a registration; see {@link DeviceProfile#pinning()}
         * @return this builder
         */
        public Builder pinning(Pinning value) {
            pinning = value;
            return this;
        }

        /**
         * Sets the QPN of the first queue pair; later queue pairs have the QPNs that follow. By default the device
         * draws the first QPN at random.
         *
         * @param value {@link DeviceProfile#LEAST_QPN} to {@link DeviceProfile#LARGEST_QPN}
         * @return this builder
         */
        public Builder firstQpn(int value) {
            firstQpn = OptionalInt.of(value);
            return this;
        }

        /**
         * {@return a device profile with the properties of this builder}
         *
         * @throws IllegalArgumentException if the message size or the first queue pair number is out of range
         */
        public DeviceProfile build() {
            return new DeviceProfile(
                    attributes, capabilities, maxMessageSize, quirks, sendWindow, placement, pinning, firstQpn);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceProfile same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DeviceProfile" + values().toString().substring("Values".length());
    }
}
