// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/** A provider over another one, whose regions have an lkey that differs from the rkey. The device refuses the rkey in its place. */
final class TwoKeys implements InvocationHandler {
    private static final int DIFFERENCE = 0x0F0F_0F0F;

    /** The objects that lead to a region or to a request. */
    private static final List<Class<?>> REPLACED = List.of(
            VerbsProvider.class,
            ConnectionManager.class,
            EventChannel.class,
            CmEvent.class,
            ConnectionId.class,
            Device.class,
            ProtectionDomain.class,
            MemoryRegion.class,
            QueuePair.class,
            SendRequests.class,
            SendWorkRequest.class,
            ReceiveRequests.class,
            ReceiveWorkRequest.class);

    private final Object inner;

    private TwoKeys(Object inner) {
        this.inner = inner;
    }

    static VerbsProvider over(VerbsProvider provider) {
        return (VerbsProvider) replace(provider);
    }

    private static Object replace(Object found) {
        if (found instanceof Optional<?> optional) {
            return optional.map(TwoKeys::replace);
        }
        return REPLACED.stream()
                .filter(type -> type.isInstance(found))
                .findFirst()
                .map(type -> Proxy.newProxyInstance(
                        TwoKeys.class.getClassLoader(), new Class<?>[] {type}, new TwoKeys(found)))
                .orElse(found);
    }

    private static Object original(Object given) {
        return given != null
                        && Proxy.isProxyClass(given.getClass())
                        && Proxy.getInvocationHandler(given) instanceof TwoKeys keys
                ? keys.inner
                : given;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object[] given = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < given.length; i++) {
            given[i] = original(given[i]);
        }
        if (method.getName().equals("sge") && given[2] instanceof Integer key) {
            given[2] = key ^ DIFFERENCE;
        }
        try {
            Object result = method.invoke(inner, given);
            return method.getName().equals("lkey") ? (Object) ((int) result ^ DIFFERENCE) : replace(result);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
