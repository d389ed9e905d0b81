// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceAttributesBuilder;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every limit of {@link DeviceAttributes}: its greatest value works, and one more is refused with the error that the
 * man pages name. The device is small, so that each limit can be reached.
 */
class LimitsTest {
    private static final DeviceAttributes SMALL = DeviceProfile.specification().attributes().toBuilder()
            .maxMrSize(Node.MEMORY)
            .maxQp(3)
            .maxQpWr(5)
            .maxSge(4)
            .maxSgeRd(2)
            .maxCq(6)
            .maxCqe(6)
            .maxMr(4)
            .maxMw(2)
            .maxPd(3)
            .maxQpRdAtom(3)
            .maxQpInitRdAtom(4)
            .maxResRdAtom(5)
            .maxAh(2)
            .maxSrq(2)
            .maxSrqWr(5)
            .maxSrqSge(3)
            .completionVectors(2)
            .maxInlineData(64)
            .maxFastRegPageListLength(2)
            .build();

    private static final int MAX_MESSAGE = 1000;

    /** Attributes that describe the device without limiting anything. */
    private static final Set<String> DESCRIPTIONS = Set.of(
            "firmwareVersion",
            "capabilityFlags",
            "nodeGuid",
            "systemImageGuid",
            "pageSizeCap",
            "systemPageSize",
            "vendorId",
            "vendorPartId",
            "hardwareVersion",
            "atomicCapability",
            "atomicCapabilityCode",
            "localCaAckDelay",
            "completionTimestampMask",
            "hcaCoreClock",
            "odpCapabilities",
            "maxCqModerationCount",
            "maxCqModerationPeriod");

    /** Attributes with tests of their own: multicast, and address handles. */
    private static final Set<String> ELSEWHERE =
            Set.of("maxMcastGroups", "maxMcastQpAttach", "maxTotalMcastQpAttach", "maxAh");

    private static final Map<String, Row> ROWS = rows();

    private final Lab lab = new Lab();

    /** The use of a limited resource. */
    private interface Row {
        /** Uses the limit completely, then exceeds it, which must throw. */
        void exceed(Node node) throws VerbsException;
    }

    /** Makes one more object. */
    private interface Maker {
        void make(Node node) throws VerbsException;
    }

    /** Performs an operation of a size. */
    private interface Sized {
        void take(Node node, int size) throws VerbsException;
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    /** A limit of the number of further objects: {@code possible} can be made, one more cannot. */
    private static Row count(int possible, Maker maker) {
        return node -> {
            for (int i = 0; i < possible; i++) {
                maker.make(node);
            }
            assertRefused(Errno.ENOMEM, () -> maker.make(node));
        };
    }

    /** A limit of a size: {@code most} is possible, one more is not. */
    private static Row size(int most, Sized action) {
        return node -> {
            action.take(node, most);
            assertRefused(Errno.EINVAL, () -> action.take(node, most + 1));
        };
    }

    private interface Call {
        void run() throws VerbsException;
    }

    private static void assertRefused(Errno errno, Call call) {
        VerbsException refusal = catchThrowableOfType(VerbsException.class, call::run);
        assertThat(refusal).isNotNull();
        assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(errno);
    }

    private static Map<String, Row> rows() {
        Map<String, Row> rows = new LinkedHashMap<>();
        // A node already has a domain and a region.
        rows.put("maxPd", count(SMALL.maxPd() - 1, node -> node.device().allocatePd()));
        rows.put("maxMr", count(SMALL.maxMr() - 1, node -> node.domain().registerMemory(node.memory())));
        rows.put("maxMw", count(SMALL.maxMw(), node -> node.domain().allocateMw(MemoryWindowType.TYPE_1)));
        rows.put("maxCq", count(SMALL.maxCq(), node -> node.newCq(1)));
        rows.put("maxQp", node -> {
            CompletionQueue queue = node.newCq(6);
            count(SMALL.maxQp(), same -> endpoint(same, queue, QpCapabilities.of(1, 1)))
                    .exceed(node);
        });
        rows.put("maxSrq", count(SMALL.maxSrq(), node -> srq(node, 1, 1)));
        rows.put("maxMrSize", node -> {
            assertThat(node.region().length()).isEqualTo(SMALL.maxMrSize());
            assertRefused(
                    Errno.EINVAL,
                    () -> node.domain().registerMemory(node.arena().allocate(SMALL.maxMrSize() + 1)));
        });
        rows.put("maxQpWr", node -> {
            size(SMALL.maxQpWr(), qp((none, depth) -> none.withMaxSendWr(depth)))
                    .exceed(node);
            size(SMALL.maxQpWr(), qp((none, depth) -> none.withMaxReceiveWr(depth)))
                    .exceed(node);
        });
        rows.put("maxSge", node -> {
            size(SMALL.maxSge(), qp((none, entries) -> none.withMaxSendSge(entries)))
                    .exceed(node);
            size(SMALL.maxSge(), qp((none, entries) -> none.withMaxReceiveSge(entries)))
                    .exceed(node);
        });
        rows.put("maxInlineData", size(SMALL.maxInlineData(), qp((none, bytes) -> none.withMaxInlineData(bytes))));
        rows.put("maxCqe", size(SMALL.maxCqe(), Node::newCq));
        rows.put(
                "completionVectors",
                size(
                        SMALL.completionVectors() - 1,
                        (node, vector) -> node.device()
                                .createCq(CqInitAttributes.builder()
                                        .capacity(1)
                                        .completionVector(vector)
                                        .build())));
        rows.put(
                "maxSrqWr",
                size(SMALL.maxSrqWr(), (node, depth) -> srq(node, depth, 1).close()));
        rows.put(
                "maxSrqSge",
                size(SMALL.maxSrqSge(), (node, entries) -> srq(node, 1, entries).close()));
        rows.put("maxSgeRd", LimitsTest::exceedReadEntries);
        rows.put("maxQpInitRdAtom", size(SMALL.maxQpInitRdAtom(), (node, depth) -> connect(node, depth, 0)));
        rows.put("maxQpRdAtom", size(SMALL.maxQpRdAtom(), (node, depth) -> connect(node, 0, depth)));
        rows.put("maxResRdAtom", LimitsTest::exceedResponderResources);
        rows.put(
                "maxPkeys",
                size(SMALL.maxPkeys() - 1, (node, index) -> node.device().queryPkey(1, index)));
        rows.put(
                "physicalPortCount",
                size(SMALL.physicalPortCount(), (node, port) -> node.device().queryPort(port)));
        rows.put(
                "maxFastRegPageListLength",
                size(
                        SMALL.maxFastRegPageListLength(),
                        (node, pages) -> node.device()
                                .extension(FastRegistration.class)
                                .orElseThrow()
                                .allocate(node.domain(), pages, false)));
        return rows;
    }

    private interface Resize {
        QpCapabilities of(QpCapabilities none, int size);
    }

    private static Sized qp(Resize resize) {
        return (node, size) -> {
            CompletionQueue queue = node.newCq(6);
            try {
                Endpoint made = endpoint(node, queue, resize.of(QpCapabilities.of(1, 1), size));
                made.qp().close();
            } finally {
                queue.close();
            }
        };
    }

    private static Endpoint endpoint(Node node, CompletionQueue queue, QpCapabilities capabilities)
            throws VerbsException {
        return new Endpoint(
                node,
                node.domain()
                        .createQp(QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(queue)
                                .receiveCq(queue)
                                .capabilities(capabilities)
                                .build()));
    }

    private static SharedReceiveQueue srq(Node node, int depth, int entries) throws VerbsException {
        return node.domain()
                .createSrq(
                        SrqInitAttributes.builder().maxWr(depth).maxSge(entries).build());
    }

    private static Endpoint connected(Node node) throws VerbsException {
        ScriptedPeer peer = node.lab().scriptedPeer("192.0.2.9");
        Endpoint endpoint = endpoint(node, node.newCq(6), new QpCapabilities(5, 5, 4, 4, 0));
        endpoint.connect(peer, Connection.USUAL);
        return endpoint;
    }

    private static void exceedReadEntries(Node node) throws VerbsException {
        Endpoint endpoint = connected(node);
        assertThat(endpoint.post(wr -> entries(wr.rdmaRead(0, 0), node, SMALL.maxSgeRd())))
                .isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.post(wr -> entries(wr.rdmaRead(0, 0), node, SMALL.maxSgeRd() + 1)))
                .isEqualTo(PostRefusal.TOO_MANY_SGES);
        assertThat(endpoint.post(wr -> entries(wr.send(), node, SMALL.maxSge())))
                .isEqualTo(PostRefusal.NONE);
    }

    private static void entries(SendWorkRequest request, Node node, int count) {
        for (int i = 0; i < count; i++) {
            request.sge(node.region(), i, 1);
        }
    }

    /** Moves to RTS with these depths. */
    private static Endpoint connect(Node node, int asRequester, int asResponder) throws VerbsException {
        CompletionQueue queue = node.newCq(6);
        Endpoint endpoint = endpoint(node, queue, QpCapabilities.of(1, 1));
        try {
            endpoint.qp().modify(Connection.USUAL.toInit());
            endpoint.qp()
                    .modify(Connection.USUAL.toRtr(node.address(), 99).toBuilder()
                            .maxDestRdAtomic(asResponder)
                            .build());
            endpoint.qp()
                    .modify(Connection.USUAL.toRts().toBuilder()
                            .maxRdAtomic(asRequester)
                            .build());
        } catch (VerbsException refused) {
            endpoint.qp().close();
            queue.close();
            throw refused;
        }
        return endpoint;
    }

    private static void exceedResponderResources(Node node) throws VerbsException {
        Endpoint three = connect(node, 0, 3);
        Endpoint two = connect(node, 0, 2);
        assertRefused(Errno.ENOMEM, () -> connect(node, 0, 1));
        two.qp().close();
        Endpoint other = connect(node, 0, 2);
        assertRefused(Errno.ENOMEM, () -> connect(node, 0, 1));
        three.qp().modify(QpAttributes.reset());
        other.qp().close();
        connect(node, 0, 3).qp().close();
    }

    private Node small() throws VerbsException {
        return lab.node(
                "small",
                "192.0.2.1",
                profile -> profile.toBuilder()
                        .attributes(SMALL)
                        .maxMessageSize(MAX_MESSAGE)
                        .with(Capability.MW_TYPE_1, Capability.FAST_REGISTRATION, Capability.SRQ, Capability.RDMA_READ)
                        .build());
    }

    @Test
    void everyAttributeIsTestedOrListed() {
        Set<String> all = new TreeSet<>();
        for (Method setter : DeviceAttributesBuilder.class.getMethods()) {
            if (setter.getReturnType() == DeviceAttributesBuilder.class) {
                all.add(setter.getName());
            }
        }
        Set<String> known = new TreeSet<>(ROWS.keySet());
        known.addAll(DESCRIPTIONS);
        known.addAll(ELSEWHERE);
        assertThat(known).isEqualTo(all);
    }

    static Stream<String> limits() {
        return ROWS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void theMostWorksAndOneMoreIsRefused(String limit) throws VerbsException {
        ROWS.get(limit).exceed(small());
    }

    @Test
    void closedObjectsDoNotCount() throws VerbsException {
        Node node = small();
        for (int round = 0; round < 20; round++) {
            List<AutoCloseable> made = new ArrayList<>(Arrays.asList(
                    node.newCq(1),
                    node.newCq(1),
                    srq(node, 1, 1),
                    srq(node, 1, 1),
                    node.device().allocatePd(),
                    node.device().allocatePd(),
                    node.domain().allocateMw(MemoryWindowType.TYPE_1),
                    node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE)));
            for (AutoCloseable object : made) {
                close(object);
            }
        }
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception refused) {
            throw new AssertionError(refused);
        }
    }

    @Test
    void theLongestMessageIsThePorts() throws VerbsException {
        Node node = small();
        assertThat(node.device().queryPort(1).maxMessageSize()).isEqualTo(MAX_MESSAGE);
        Endpoint endpoint = connected(node);
        assertThat(endpoint.send(1, 0, MAX_MESSAGE)).isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.send(1, 0, MAX_MESSAGE + 1)).isEqualTo(PostRefusal.MESSAGE_TOO_LONG);
        assertThat(endpoint.receive(1, 0, MAX_MESSAGE)).isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.receive(1, 0, MAX_MESSAGE + 1)).isEqualTo(PostRefusal.MESSAGE_TOO_LONG);
        assertThat(DeviceProfile.specification().maxMessageSize()).isEqualTo(1L << 31);
    }
}
