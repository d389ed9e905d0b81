package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEventType;
import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetHeader;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A conversation of two real nodes in which our node takes the place of the one that accepted: it has that one's NID and
 * incarnation, is told word by word what the other one said, and its users do what the users there did. What it says is
 * compared byte for byte; only its cookies, handles, keys and addresses are its own.
 */
final class CaptureReplay implements AutoCloseable {

    private static final int NETWORK = 77 << 16;
    private static final int DEPTH = 8;
    private static final int CREDITS = 7;
    private static final int COOKIE = 120;
    private static final int HANDLE = 80;
    private static final int HANDLE_LENGTH = 16;

    private final Lab lab;
    private final List<Captures.Message> messages;
    private final int node;
    private final LnetNode ours;
    private final RawPeer peer;
    /** What the real node called its requests, and what ours calls them. */
    private final Map<Long, Long> cookies = new HashMap<>();

    private final Map<WireHandle, byte[]> handles = new HashMap<>();
    private final boolean strict;
    private int said;
    private int early;

    /** Strict: each message must carry as many credits as it did; else it may carry some that came with a later one. */
    CaptureReplay(String file, boolean strict) throws VerbsException {
        lab = new Lab(1).registering(RegistrationTunables.defaults().withKind(RegistrationKind.FAST_REGISTRATION));
        this.strict = strict;
        messages = Captures.read(file);
        Captures.Message reply = first(Captures.Carrier.CM_REP);
        node = reply.from();
        long stamp = parse(reply.bytes()).header().sourceStamp();
        lab.pass(Duration.between(lab.runtime().now(), Instant.EPOCH.plus(stamp, ChronoUnit.MICROS)));
        ours = lab.start(NETWORK + node);
        peer = new RawPeer(lab, NETWORK + first(Captures.Carrier.CM_REQ).from(), 1 << 20);
    }

    private Captures.Message first(Captures.Carrier carrier) {
        return messages.stream()
                .filter(message -> message.carrier() == carrier)
                .findFirst()
                .orElseThrow();
    }

    private static LndMessage parse(byte[] bytes) {
        LndMessage message = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        assertThat(message.parse(bytes.length)).isEqualTo(MessageDefect.NONE);
        return message;
    }

    /** Plays the whole file; returns how many messages of our node were compared. */
    int play() throws VerbsException {
        assertThat(peer.connect(ours, first(Captures.Carrier.CM_REQ).bytes())).isEqualTo(CmEventType.ESTABLISHED);
        int length = MessageType.CONNACK.minimumLength();
        assertThat(Arrays.copyOf(peer.answer(), length))
                .as("CONNACK")
                .isEqualTo(Arrays.copyOf(first(Captures.Carrier.CM_REP).bytes(), length));
        for (int i = 0; i < messages.size(); i++) {
            Captures.Message captured = messages.get(i);
            if (captured.carrier() == Captures.Carrier.SEND) {
                if (captured.from() == node) {
                    expect(captured, parse(captured.bytes()));
                } else {
                    tell(i, parse(captured.bytes().clone()), captured.bytes().clone());
                }
            }
        }
        assertThat(peer.received()).as("nothing else was said").hasSize(said);
        return said + 1;
    }

    /** What users of our node must have offered for this message, and then the message. */
    private void tell(int index, LndMessage message, byte[] bytes) {
        LndMessage view = parse(bytes);
        switch (message.type()) {
            case IMMEDIATE, PUT_REQ, GET_REQ -> offer(index, message);
            default -> {}
        }
        switch (message.type()) {
            case PUT_ACK -> {
                view.putAckCookies(mine(message.sourceCookie()), message.sinkCookie());
                intoOurMemory(view, message.descriptor().totalLength());
            }
            case GET_REQ -> intoOurMemory(view, message.descriptor().totalLength());
            case PUT_NAK, PUT_DONE, GET_DONE ->
                view.completion()
                        .set(
                                mine(message.completion().cookie()),
                                message.completion().status());
            case IMMEDIATE -> {
                LnetMessageType type = LnetMessageType.of(message.lnetHeader().typeCode());
                if (type == LnetMessageType.REPLY || type == LnetMessageType.ACK) {
                    byte[] handle = handles.get(message.lnetHeader().handle());
                    System.arraycopy(Objects.requireNonNull(handle), 0, bytes, HANDLE, HANDLE_LENGTH);
                }
            }
            default -> {}
        }
        peer.send(bytes);
    }

    private long mine(long cookie) {
        return Objects.requireNonNull(cookies.get(cookie), "a cookie that our node did not give");
    }

    private void intoOurMemory(LndMessage view, long length) {
        view.describe(peer.region().rkey(), 1).fragment(0, length, peer.sinkAddress());
    }

    private void offer(int index, LndMessage message) {
        LnetHeader header = message.lnetHeader();
        LnetMessageType type = Objects.requireNonNull(LnetMessageType.of(header.typeCode()));
        switch (type) {
            case PUT ->
                attach(
                        (int) header.putPortal(),
                        header.matchBits(),
                        MdOption.OP_PUT,
                        new byte[(int) header.payloadLength()]);
            case GET -> attach((int) header.getPortal(), header.matchBits(), MdOption.OP_GET, reply(index, message));
            case ACK, REPLY, HELLO -> {}
        }
    }

    private void attach(int portal, long bits, MdOption option, byte[] content) {
        ours.attach(
                MatchEntry.on(portal).matchBits(bits).build(),
                MemoryDescriptor.over(memory(content))
                        .options(option, MdOption.TRUNCATE)
                        .threshold(1)
                        .build());
    }

    private MemorySegment memory(byte[] content) {
        MemorySegment memory = lab.memory(content.length, 0);
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
        return memory;
    }

    /** What the real node had to give: the payload of its REPLY, or as many bytes as it wrote. */
    private byte[] reply(int index, LndMessage get) {
        for (Captures.Message captured : messages.subList(index, messages.size())) {
            if (captured.carrier() != Captures.Carrier.SEND || captured.from() != node) {
                continue;
            }
            LndMessage answer = parse(captured.bytes());
            boolean written = answer.type() == MessageType.GET_DONE
                    && get.type() == MessageType.GET_REQ
                    && answer.completion().cookie() == get.requestCookie();
            if (written) {
                return new byte[answer.completion().status()];
            }
            if (answer.type() == MessageType.IMMEDIATE
                    && LnetMessageType.of(answer.lnetHeader().typeCode()) == LnetMessageType.REPLY
                    && answer.lnetHeader().handle().equals(get.lnetHeader().handle())) {
                return payload(captured.bytes(), answer);
            }
        }
        throw new AssertionError("a GET that was never answered");
    }

    private static byte[] payload(byte[] bytes, LndMessage message) {
        return Arrays.copyOfRange(
                bytes, LndMessage.IMMEDIATE_PAYLOAD, (int) message.header().length());
    }

    /** Has our node's users do what brought this message about, and compares what the node says. */
    private void expect(Captures.Message captured, LndMessage message) {
        start(captured.bytes(), message);
        lab.await(() -> peer.received().size() > said, Duration.ofSeconds(5));
        assertThat(peer.received()).as("%s: %s", captured, message).hasSizeGreaterThan(said);
        LndMessage actual = peer.received().get(said++);
        assertThat(actual.type()).as("%s", captured).isEqualTo(message.type());
        byte[] expected = Arrays.copyOf(captured.bytes(), (int) message.header().length());
        byte[] mine = peer.bytes(said - 1);
        learn(message, actual, mine);
        early += actual.header().credits() - message.header().credits();
        if (!strict) {
            assertThat(early).as("%s: credits ahead of the real node", captured).isBetween(0, DEPTH);
            mine[CREDITS] = expected[CREDITS];
        }
        assertThat(masked(mine, actual))
                .as("%s: %s, ours %s", captured, message, actual)
                .isEqualTo(masked(expected, message));
    }

    private void start(byte[] bytes, LndMessage message) {
        if (message.type() != MessageType.IMMEDIATE
                && message.type() != MessageType.PUT_REQ
                && message.type() != MessageType.GET_REQ) {
            return;
        }
        LnetHeader header = message.lnetHeader();
        LnetMessageType type = Objects.requireNonNull(LnetMessageType.of(header.typeCode()));
        ProcessId target = header.destination();
        if (type == LnetMessageType.PUT) {
            boolean ack = !header.handle().isNone();
            byte[] content = message.type() == MessageType.IMMEDIATE
                    ? payload(bytes, message)
                    : new byte[(int) header.payloadLength()];
            MemoryDescriptor md = MemoryDescriptor.over(memory(content))
                    .threshold(ack ? 2 : 1)
                    .build();
            ours.put(
                    md,
                    ack,
                    target,
                    (int) header.putPortal(),
                    header.matchBits(),
                    header.putOffset(),
                    header.putHdrData());
        } else if (type == LnetMessageType.GET) {
            MemoryDescriptor md = MemoryDescriptor.over(memory(new byte[(int) header.getSinkLength()]))
                    .options(MdOption.TRUNCATE)
                    .threshold(2)
                    .build();
            ours.get(md, target, (int) header.getPortal(), header.matchBits(), header.getOffset());
        }
    }

    /** Remembers by what names our node goes by. */
    private void learn(LndMessage real, LndMessage actual, byte[] bytes) {
        switch (real.type()) {
            case PUT_REQ, GET_REQ -> {
                cookies.put(real.requestCookie(), actual.requestCookie());
                handles.put(real.lnetHeader().handle(), handle(bytes));
            }
            case IMMEDIATE -> handles.put(real.lnetHeader().handle(), handle(bytes));
            case PUT_ACK -> {
                cookies.put(real.sinkCookie(), actual.sinkCookie());
                assertThat(actual.sourceCookie()).isEqualTo(real.sourceCookie());
                assertThat(actual.descriptor().fragmentCount())
                        .isEqualTo(real.descriptor().fragmentCount());
                assertThat(actual.descriptor().totalLength())
                        .isEqualTo(real.descriptor().totalLength());
            }
            default -> {}
        }
    }

    private static byte[] handle(byte[] bytes) {
        return Arrays.copyOfRange(bytes, HANDLE, HANDLE + HANDLE_LENGTH);
    }

    /** Without what each node makes up for itself. */
    private static byte[] masked(byte[] bytes, LndMessage message) {
        byte[] copy = bytes.clone();
        switch (message.type()) {
            case IMMEDIATE -> maskHandle(copy, message);
            case PUT_REQ -> {
                maskHandle(copy, message);
                Arrays.fill(copy, COOKIE, COOKIE + Long.BYTES, (byte) 0);
            }
            case GET_REQ -> {
                maskHandle(copy, message);
                Arrays.fill(copy, COOKIE, COOKIE + Long.BYTES, (byte) 0);
                maskDescriptor(copy, COOKIE + Long.BYTES);
            }
            case PUT_ACK -> {
                Arrays.fill(copy, LndMessage.BODY + Long.BYTES, LndMessage.BODY + 2 * Long.BYTES, (byte) 0);
                maskDescriptor(copy, LndMessage.BODY + 2 * Long.BYTES);
            }
            default -> {}
        }
        return copy;
    }

    /** The handle of what this node starts is its own, unless it wants no answer; that in an answer is the other node's. */
    private static void maskHandle(byte[] bytes, LndMessage message) {
        LnetMessageType type = LnetMessageType.of(message.lnetHeader().typeCode());
        boolean own = type == LnetMessageType.PUT || type == LnetMessageType.GET;
        if (own && !message.lnetHeader().handle().isNone()) {
            Arrays.fill(bytes, HANDLE, HANDLE + HANDLE_LENGTH, (byte) 0);
        }
    }

    /** Key and address of a descriptor with one fragment. */
    private static void maskDescriptor(byte[] bytes, int at) {
        Arrays.fill(bytes, at, at + Integer.BYTES, (byte) 0);
        Arrays.fill(bytes, at + 3 * Integer.BYTES, at + 5 * Integer.BYTES, (byte) 0);
    }

    @Override
    public void close() throws VerbsException {
        peer.close();
        lab.close();
    }
}
