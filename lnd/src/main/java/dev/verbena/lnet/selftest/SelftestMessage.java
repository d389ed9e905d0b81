// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Nid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request or reply of lnet_selftest, encoded as 160 bytes in the byte order of the sender.
 *
 * <pre>
 *   0 magic 4   4 version 4   8 type 4   12 reserved 8   20 features 4   24 body, then zeros
 * </pre>
 *
 * Source: Lustre's {@code selftest/rpc.h}.
 *
 * @param order the byte order of the message's sender
 * @param features the feature bits of the LNet selftest session, such as {@link #FEATURE_BULK_LENGTH}
 * @param request the request, or null if the message is a reply
 * @param reply the reply, or null if the message is a request
 */
record SelftestMessage(
        ByteOrder order,
        int features,
        @Nullable SelftestRequest request,
        @Nullable SelftestReply reply) {

    static final int LENGTH = 160;
    static final int MAGIC = 0xeeb0f00d;
    static final int VERSION = 1;
    /** The LNet selftest feature bit for bulk transfers of any length instead of whole pages. */
    static final int FEATURE_BULK_LENGTH = 1;
    /** The feature bits that this implementation supports. */
    static final int FEATURES = FEATURE_BULK_LENGTH;

    private static final int BODY = 24;
    private static final int NAME = 32;

    /** Decodes a message. Returns null if the bytes are not a message, or if its type or version is unknown. */
    static @Nullable SelftestMessage decode(byte[] bytes) {
        if (bytes.length != LENGTH) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt() == Integer.reverseBytes(MAGIC)) {
            in.order(ByteOrder.BIG_ENDIAN);
        } else if (in.getInt(0) != MAGIC) {
            return null;
        }
        int version = in.getInt();
        int type = in.getInt();
        in.getLong();
        int features = in.getInt();
        @Nullable SelftestService service = SelftestService.ofType(type);
        if (version != VERSION || service == null) {
            return null;
        }
        boolean asks = type == service.requestType();
        return new SelftestMessage(
                in.order(), features, asks ? decodeRequest(service, in) : null, asks ? null : decodeReply(service, in));
    }

    private static SelftestRequest decodeRequest(SelftestService service, ByteBuffer in) {
        long bits = in.getLong();
        return switch (service) {
            case DEBUG -> new SelftestRequest.Debug(bits, session(in), in.getInt());
            case MAKE_SESSION -> new SelftestRequest.MakeSession(bits, session(in), in.getInt() != 0, name(in));
            case REMOVE_SESSION -> new SelftestRequest.RemoveSession(bits, session(in));
            case BATCH ->
                new SelftestRequest.Batch(bits, session(in), in.getLong(), in.getInt(), in.getInt(), in.getInt());
            case TEST -> decodeTest(bits, in);
            case QUERY_STAT -> new SelftestRequest.QueryStat(bits, session(in), in.getInt());
            case BRW -> new SelftestRequest.Brw(bits, in.getLong(), in.getInt(), in.getInt(), in.getInt());
            case PING -> new SelftestRequest.Ping(bits, in.getInt(), in.getInt(), in.getLong(), in.getLong());
        };
    }

    private static SelftestRequest decodeTest(long bits, ByteBuffer in) {
        return new SelftestRequest.AddTest(
                bits,
                in.getLong(),
                session(in),
                in.getLong(),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.get() != 0,
                in.get() != 0,
                in.getInt(),
                new SelftestRequest.BrwParameters(in.getShort(), in.getShort(), in.getInt(), in.getInt()));
    }

    private static SelftestReply decodeReply(SelftestService service, ByteBuffer in) {
        int status = in.getInt();
        return switch (service) {
            case DEBUG -> new SelftestReply.Debug(status, session(in), in.getInt(), in.getInt(), name(in));
            case MAKE_SESSION -> new SelftestReply.MakeSession(status, session(in), in.getInt(), name(in));
            case REMOVE_SESSION -> new SelftestReply.RemoveSession(status, session(in));
            case BATCH -> new SelftestReply.Batch(status, session(in), in.getInt(), in.getInt());
            case TEST -> new SelftestReply.AddTest(status, session(in));
            case QUERY_STAT ->
                new SelftestReply.QueryStat(
                        status,
                        session(in),
                        new SelftestReply.FrameworkCounters(
                                in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt()),
                        new SelftestReply.RpcCounters(
                                in.getInt(),
                                in.getInt(),
                                in.getInt(),
                                in.getInt(),
                                in.getInt(),
                                in.getLong(),
                                in.getLong()),
                        lnetCounters(in));
            case BRW -> new SelftestReply.Brw(status);
            case PING -> new SelftestReply.Ping(status, in.getInt(), in.getInt());
        };
    }

    private static SelftestReply.LnetWireCounters lnetCounters(ByteBuffer in) {
        return new SelftestReply.LnetWireCounters(
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong());
    }

    private static SessionId session(ByteBuffer in) {
        return new SessionId(new Nid(in.getLong()), in.getLong());
    }

    private static String name(ByteBuffer in) {
        byte[] bytes = new byte[NAME];
        in.get(bytes);
        int length = 0;
        while (length < NAME && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    static byte[] encode(ByteOrder order, int features, SelftestRequest request) {
        byte[] bytes = new byte[LENGTH];
        ByteBuffer out = begin(bytes, order, request.service().requestType(), features);
        out.putLong(request.replyBits());
        switch (request) {
            case SelftestRequest.Debug r -> session(out, r.session()).putInt(r.flags());
            case SelftestRequest.MakeSession r -> name(session(out, r.session()).putInt(r.force() ? 1 : 0), r.name());
            case SelftestRequest.RemoveSession r -> session(out, r.session());
            case SelftestRequest.Batch r ->
                session(out, r.session())
                        .putLong(r.batch())
                        .putInt(r.opcode())
                        .putInt(r.test())
                        .putInt(r.argument());
            case SelftestRequest.QueryStat r -> session(out, r.session()).putInt(r.type());
            case SelftestRequest.AddTest r -> encodeTest(out, r);
            case SelftestRequest.Ping r ->
                out.putInt(r.magic()).putInt(r.sequence()).putLong(r.seconds()).putLong(r.nanos());
            case SelftestRequest.Brw r ->
                out.putLong(r.bulkBits()).putInt(r.opcode()).putInt(r.length()).putInt(r.check());
        }
        return bytes;
    }

    private static void encodeTest(ByteBuffer out, SelftestRequest.AddTest test) {
        session(out.putLong(test.bulkBits()), test.session())
                .putLong(test.batch())
                .putInt(test.tested())
                .putInt(test.loop())
                .putInt(test.concurrency())
                .put((byte) (test.client() ? 1 : 0))
                .put((byte) (test.stopOnError() ? 1 : 0))
                .putInt(test.destinations())
                .putShort((short) test.parameters().opcode())
                .putShort((short) test.parameters().check())
                .putInt(test.parameters().length())
                .putInt(test.parameters().offset());
    }

    static byte[] encode(ByteOrder order, int features, SelftestReply reply) {
        byte[] bytes = new byte[LENGTH];
        ByteBuffer out = begin(bytes, order, reply.service().replyType(), features);
        out.putInt(reply.status());
        switch (reply) {
            case SelftestReply.Debug r ->
                name(session(out, r.session()).putInt(r.timeoutSeconds()).putInt(r.batches()), r.name());
            case SelftestReply.MakeSession r -> name(session(out, r.session()).putInt(r.timeoutSeconds()), r.name());
            case SelftestReply.RemoveSession r -> session(out, r.session());
            case SelftestReply.Batch r ->
                session(out, r.session()).putInt(r.active()).putInt(r.time());
            case SelftestReply.AddTest r -> session(out, r.session());
            case SelftestReply.QueryStat r -> encodeStat(out, r);
            case SelftestReply.Ping r -> out.putInt(r.magic()).putInt(r.sequence());
            case SelftestReply.Brw r -> {}
        }
        return bytes;
    }

    private static void encodeStat(ByteBuffer out, SelftestReply.QueryStat stat) {
        SelftestReply.FrameworkCounters framework = stat.framework();
        session(out, stat.session())
                .putInt(framework.runningMillis())
                .putInt(framework.activeBatches())
                .putInt(framework.zombieSessions())
                .putInt(framework.brwErrors())
                .putInt(framework.pingErrors());
        SelftestReply.RpcCounters rpc = stat.rpc();
        out.putInt(rpc.errors())
                .putInt(rpc.sent())
                .putInt(rpc.received())
                .putInt(rpc.dropped())
                .putInt(rpc.expired())
                .putLong(rpc.bulkGetBytes())
                .putLong(rpc.bulkPutBytes());
        SelftestReply.LnetWireCounters lnet = stat.lnet();
        out.putInt(lnet.messages())
                .putInt(lnet.mostMessages())
                .putInt(lnet.errors())
                .putInt(lnet.sent())
                .putInt(lnet.received())
                .putInt(lnet.routed())
                .putInt(lnet.dropped())
                .putLong(lnet.sentBytes())
                .putLong(lnet.receivedBytes())
                .putLong(lnet.routedBytes())
                .putLong(lnet.droppedBytes());
    }

    private static ByteBuffer begin(byte[] bytes, ByteOrder order, int type, int features) {
        return ByteBuffer.wrap(bytes)
                .order(order)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(type)
                .putLong(0)
                .putInt(features)
                .position(BODY);
    }

    private static ByteBuffer session(ByteBuffer out, SessionId session) {
        return out.putLong(session.console().value()).putLong(session.stamp());
    }

    private static void name(ByteBuffer out, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
        out.put(bytes, 0, Math.min(bytes.length, NAME - 1));
    }
}
