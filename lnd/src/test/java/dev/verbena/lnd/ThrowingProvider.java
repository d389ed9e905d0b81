// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anySet;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.mockito.stubbing.Answer;

/** A connection manager whose devices and queue pairs throw unchecked exceptions where a test turns that on. */
final class ThrowingProvider {
    private final ConnectionManager manager;
    private final Map<Device, Device> devices = new HashMap<>();
    private final Map<ProtectionDomain, ProtectionDomain> realDomains = new HashMap<>();
    private boolean registrations;
    private boolean deregistrations;
    private boolean windows;
    private boolean posts;

    ThrowingProvider(ConnectionManager real) throws VerbsException {
        EventChannel realChannel = real.createEventChannel();
        EventChannel channel = mock(EventChannel.class, delegatesTo(realChannel));
        doAnswer(call -> {
                    CmEventHandler handler = call.getArgument(0);
                    realChannel.setHandler(handler == null ? null : event -> handler.onCmEvent(of(event)));
                    return null;
                })
                .when(channel)
                .setHandler(any());
        manager = mock(ConnectionManager.class, delegatesTo(real));
        doReturn(channel).when(manager).createEventChannel();
        doAnswer(call -> of(real.createId(realChannel, call.getArgument(1), call.getArgument(2))))
                .when(manager)
                .createId(any(), any(), any());
    }

    ConnectionManager manager() {
        return manager;
    }

    void throwInRegistrations(boolean on) {
        registrations = on;
    }

    /** Of the regions that are registered from now on. */
    void throwInDeregistrations(boolean on) {
        deregistrations = on;
    }

    void throwInWindows(boolean on) {
        windows = on;
    }

    void throwInPosts(boolean on) {
        posts = on;
    }

    private CmEvent of(CmEvent event) {
        if (event.type() != CmEventType.CONNECT_REQUEST) {
            return event;
        }
        CmEvent same = mock(CmEvent.class, delegatesTo(event));
        doReturn(of(event.id())).when(same).id();
        return same;
    }

    private ConnectionId of(ConnectionId real) {
        try {
            return stubbed(real);
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }

    private ConnectionId stubbed(ConnectionId real) throws VerbsException {
        ConnectionId id = mock(ConnectionId.class, delegatesTo(real));
        doAnswer(call -> real.device().map(device -> devices.computeIfAbsent(device, this::of)))
                .when(id)
                .device();
        doAnswer(call -> {
                    real.createQp(realDomains.get(call.<ProtectionDomain>getArgument(0)), call.getArgument(1));
                    return null;
                })
                .when(id)
                .createQp(any(), any());
        doAnswer(call -> real.queuePair().map(this::of)).when(id).queuePair();
        return id;
    }

    private Device of(Device real) {
        Device device = mock(Device.class, delegatesTo(real));
        try {
            doAnswer(call -> of(real.allocatePd())).when(device).allocatePd();
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
        return device;
    }

    private ProtectionDomain of(ProtectionDomain real) throws VerbsException {
        ProtectionDomain domain = mock(ProtectionDomain.class, delegatesTo(real));
        realDomains.put(domain, real);
        doAnswer(unless(() -> windows, delegatesTo(real))).when(domain).allocateMw(any());
        doAnswer(unless(
                        () -> registrations,
                        call -> of((MemoryRegion) delegatesTo(real).answer(call))))
                .when(domain)
                .registerMemory(any(MemorySegment.class), anyLong(), anySet());
        return domain;
    }

    private MemoryRegion of(MemoryRegion real) throws VerbsException {
        if (!deregistrations) {
            return real;
        }
        MemoryRegion region = mock(MemoryRegion.class, delegatesTo(real));
        doAnswer(unless(() -> deregistrations, delegatesTo(real))).when(region).close();
        return region;
    }

    private QueuePair of(QueuePair real) {
        QueuePair pair = mock(QueuePair.class, delegatesTo(real));
        doAnswer(unless(() -> posts, delegatesTo(real))).when(pair).postSend(any(), anyInt());
        return pair;
    }

    private interface Switch {
        boolean isOn();
    }

    private static Answer<Object> unless(Switch throwing, Answer<Object> otherwise) {
        return call -> {
            if (throwing.isOn()) {
                throw new UnsupportedOperationException("a fault");
            }
            return otherwise.answer(call);
        };
    }
}
