// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.UdParameters;
import dev.verbena.ibverbs.internal.CmEventQueue;
import dev.verbena.ibverbs.struct.RdmaCmEvent;
import dev.verbena.ibverbs.struct.RdmaConnParam;
import dev.verbena.ibverbs.struct.RdmaUdParam;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a CM event. The provider acknowledges a CM event to librdmacm before the application receives a copy of the
 * event. Closing a connection id never waits for an acknowledgment by the application, even in an event handler.
 */
public final class NativeCmEvent implements CmEventQueue.Entry {
    private final CmEventType type;
    private final int typeCode;
    private final NativeConnectionId id;
    private final @Nullable NativeConnectionId listener;
    private final int status;
    private final byte[] privateData;
    private final Optional<ConnectionParameters> parameters;
    private final Optional<UdParameters> udParameters;
    private final @Nullable Object multicastContext;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    NativeCmEvent(NativeConnectionId id, @Nullable NativeConnectionId listener, MemorySegment raw) {
        typeCode = raw.get(JAVA_INT, RdmaCmEvent.EVENT);
        type = CmEventType.of(typeCode);
        this.id = id;
        this.listener = listener;
        status = raw.get(JAVA_INT, RdmaCmEvent.STATUS);
        boolean datagrams = id.portSpace() == PortSpace.UDP || id.portSpace() == PortSpace.IPOIB;
        MemorySegment param = raw.asSlice(RdmaCmEvent.PARAM);
        boolean multicast = type == CmEventType.MULTICAST_JOIN || type == CmEventType.MULTICAST_ERROR;
        boolean talk = type == CmEventType.CONNECT_REQUEST
                || type == CmEventType.CONNECT_RESPONSE
                || type == CmEventType.ESTABLISHED;
        privateData = talk || type == CmEventType.REJECTED ? ConnectionParameterCodec.privateData(param) : new byte[0];
        parameters = talk && !datagrams
                ? Optional.of(ConnectionParameterCodec.decode(param.asSlice(0, RdmaConnParam.LAYOUT)))
                : Optional.empty();
        udParameters = datagrams && (type == CmEventType.ESTABLISHED || type == CmEventType.MULTICAST_JOIN)
                ? Optional.of(ConnectionParameterCodec.decodeUd(param.asSlice(0, RdmaUdParam.LAYOUT)))
                : Optional.empty();
        multicastContext = multicast
                ? id.groups()
                        .context(param.get(ADDRESS, RdmaUdParam.PRIVATE_DATA).address())
                : null;
    }

    @Override
    public boolean isStale() {
        return id.isClosed() || (listener != null && listener.isClosed());
    }

    /** Rejects a connection request by closing the connection id of the request. */
    @Override
    public void drop() {
        if (listener != null) {
            WallRuntime.shielded(() -> {
                try {
                    id.close();
                } catch (VerbsException refused) {
                    throw new IllegalStateException(refused);
                }
            });
        }
    }

    @Override
    public CmEventType type() {
        return type;
    }

    @Override
    public int typeCode() {
        return typeCode;
    }

    @Override
    public NativeConnectionId id() {
        return id;
    }

    @Override
    public Optional<ConnectionId> listenId() {
        return Optional.ofNullable(listener);
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public Optional<ConnectionParameters> parameters() {
        return parameters;
    }

    @Override
    public Optional<UdParameters> udParameters() {
        return udParameters;
    }

    @Override
    public @Nullable Object multicastContext() {
        return multicastContext;
    }

    @Override
    public void taken() {
        id.pending().add(this);
    }

    @Override
    public void close() {
        if (acknowledged.compareAndSet(false, true)) {
            id.pending().remove(this);
        }
    }

    @Override
    public String toString() {
        return type + " of " + id + (status == 0 ? "" : " (" + status + ")");
    }
}
