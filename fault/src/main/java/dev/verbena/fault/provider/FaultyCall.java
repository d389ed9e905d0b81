// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The methods that can fail in a {@link FaultyProvider}, regardless of the arguments. Later releases may add constants.
 *
 * <p>{@link #VERBS_ARENA_ALLOCATE} stands for every method that allocates in an arena.
 *
 * @since 1.0
 */
public enum FaultyCall {
    /** {@code AddressHandle.close}. */
    ADDRESS_HANDLE_CLOSE(AddressHandle.class, "close"),
    /** {@code CompletionChannel.await}. */
    COMPLETION_CHANNEL_AWAIT(CompletionChannel.class, "await"),
    /** {@code CompletionChannel.close}. */
    COMPLETION_CHANNEL_CLOSE(CompletionChannel.class, "close"),
    /** {@code CompletionChannel.poll}. */
    COMPLETION_CHANNEL_POLL(CompletionChannel.class, "poll"),
    /** {@code CompletionChannel.ready}. */
    COMPLETION_CHANNEL_READY(CompletionChannel.class, "ready"),
    /** {@code CompletionChannel.selectable}. */
    COMPLETION_CHANNEL_SELECTABLE(CompletionChannel.class, "selectable"),
    /** {@code CompletionQueue.close}. */
    COMPLETION_QUEUE_CLOSE(CompletionQueue.class, "close"),
    /** {@code CompletionQueue.moderate}. */
    COMPLETION_QUEUE_MODERATE(CompletionQueue.class, "moderate"),
    /** {@code CompletionQueue.resize}. */
    COMPLETION_QUEUE_RESIZE(CompletionQueue.class, "resize"),
    /** {@code ConnectionId.accept}. */
    CONNECTION_ID_ACCEPT(ConnectionId.class, "accept"),
    /** {@code ConnectionId.bind}. */
    CONNECTION_ID_BIND(ConnectionId.class, "bind"),
    /** {@code ConnectionId.close}. */
    CONNECTION_ID_CLOSE(ConnectionId.class, "close"),
    /** {@code ConnectionId.connect}. */
    CONNECTION_ID_CONNECT(ConnectionId.class, "connect"),
    /** {@code ConnectionId.createQp}. */
    CONNECTION_ID_CREATE_QP(ConnectionId.class, "createQp"),
    /** {@code ConnectionId.disconnect}. */
    CONNECTION_ID_DISCONNECT(ConnectionId.class, "disconnect"),
    /** {@code ConnectionId.establish}. */
    CONNECTION_ID_ESTABLISH(ConnectionId.class, "establish"),
    /** {@code ConnectionId.initQpAttributes}. */
    CONNECTION_ID_INIT_QP_ATTRIBUTES(ConnectionId.class, "initQpAttributes"),
    /** {@code ConnectionId.joinMulticast}. */
    CONNECTION_ID_JOIN_MULTICAST(ConnectionId.class, "joinMulticast"),
    /** {@code ConnectionId.leaveMulticast}. */
    CONNECTION_ID_LEAVE_MULTICAST(ConnectionId.class, "leaveMulticast"),
    /** {@code ConnectionId.listen}. */
    CONNECTION_ID_LISTEN(ConnectionId.class, "listen"),
    /** {@code ConnectionId.migrate}. */
    CONNECTION_ID_MIGRATE(ConnectionId.class, "migrate"),
    /** {@code ConnectionId.notifyEstablished}. */
    CONNECTION_ID_NOTIFY_ESTABLISHED(ConnectionId.class, "notifyEstablished"),
    /** {@code ConnectionId.reject}. */
    CONNECTION_ID_REJECT(ConnectionId.class, "reject"),
    /** {@code ConnectionId.remoteEce}. */
    CONNECTION_ID_REMOTE_ECE(ConnectionId.class, "remoteEce"),
    /** {@code ConnectionId.resolveAddress}. */
    CONNECTION_ID_RESOLVE_ADDRESS(ConnectionId.class, "resolveAddress"),
    /** {@code ConnectionId.resolveRoute}. */
    CONNECTION_ID_RESOLVE_ROUTE(ConnectionId.class, "resolveRoute"),
    /** {@code ConnectionId.setAckTimeout}. */
    CONNECTION_ID_SET_ACK_TIMEOUT(ConnectionId.class, "setAckTimeout"),
    /** {@code ConnectionId.setIpv6Only}. */
    CONNECTION_ID_SET_IPV6_ONLY(ConnectionId.class, "setIpv6Only"),
    /** {@code ConnectionId.setLocalEce}. */
    CONNECTION_ID_SET_LOCAL_ECE(ConnectionId.class, "setLocalEce"),
    /** {@code ConnectionId.setReuseAddress}. */
    CONNECTION_ID_SET_REUSE_ADDRESS(ConnectionId.class, "setReuseAddress"),
    /** {@code ConnectionId.setTypeOfService}. */
    CONNECTION_ID_SET_TYPE_OF_SERVICE(ConnectionId.class, "setTypeOfService"),
    /** {@code ConnectionManager.createEventChannel}. */
    CONNECTION_MANAGER_CREATE_EVENT_CHANNEL(ConnectionManager.class, "createEventChannel"),
    /** {@code ConnectionManager.createId}. */
    CONNECTION_MANAGER_CREATE_ID(ConnectionManager.class, "createId"),
    /** {@code Device.allocatePd}. */
    DEVICE_ALLOCATE_PD(Device.class, "allocatePd"),
    /** {@code Device.close}. */
    DEVICE_CLOSE(Device.class, "close"),
    /** {@code Device.createCompletionChannel}. */
    DEVICE_CREATE_COMPLETION_CHANNEL(Device.class, "createCompletionChannel"),
    /** {@code Device.createCq}. */
    DEVICE_CREATE_CQ(Device.class, "createCq"),
    /** {@code Device.gidTable}. */
    DEVICE_GID_TABLE(Device.class, "gidTable"),
    /** {@code Device.queryHcaClock}. */
    DEVICE_QUERY_HCA_CLOCK(Device.class, "queryHcaClock"),
    /** {@code Device.queryPkey}. */
    DEVICE_QUERY_PKEY(Device.class, "queryPkey"),
    /** {@code Device.queryPort}. */
    DEVICE_QUERY_PORT(Device.class, "queryPort"),
    /** {@code EventChannel.await}. */
    EVENT_CHANNEL_AWAIT(EventChannel.class, "await"),
    /** {@code EventChannel.close}. */
    EVENT_CHANNEL_CLOSE(EventChannel.class, "close"),
    /** {@code EventChannel.poll}. */
    EVENT_CHANNEL_POLL(EventChannel.class, "poll"),
    /** {@code EventChannel.ready}. */
    EVENT_CHANNEL_READY(EventChannel.class, "ready"),
    /** {@code EventChannel.selectable}. */
    EVENT_CHANNEL_SELECTABLE(EventChannel.class, "selectable"),
    /** {@code FastRegistration.allocate}. */
    FAST_REGISTRATION_ALLOCATE(FastRegistration.class, "allocate"),
    /** {@code FastRegistrationRegion.map}. */
    FAST_REGISTRATION_REGION_MAP(FastRegistrationRegion.class, "map"),
    /** {@code FmrRegion.map}. */
    FMR_REGION_MAP(FmrRegion.class, "map"),
    /** {@code FmrRegistration.allocate}. */
    FMR_REGISTRATION_ALLOCATE(FmrRegistration.class, "allocate"),
    /** {@code FmrRegistration.unmap}. */
    FMR_REGISTRATION_UNMAP(FmrRegistration.class, "unmap"),
    /** {@code MemoryRegion.close}. */
    MEMORY_REGION_CLOSE(MemoryRegion.class, "close"),
    /** {@code MemoryRegion.reregister}. */
    MEMORY_REGION_REREGISTER(MemoryRegion.class, "reregister"),
    /** {@code MemoryWindow.close}. */
    MEMORY_WINDOW_CLOSE(MemoryWindow.class, "close"),
    /** {@code ProtectionDomain.adviseMr}. */
    PROTECTION_DOMAIN_ADVISE_MR(ProtectionDomain.class, "adviseMr"),
    /** {@code ProtectionDomain.allocateMw}. */
    PROTECTION_DOMAIN_ALLOCATE_MW(ProtectionDomain.class, "allocateMw"),
    /** {@code ProtectionDomain.close}. */
    PROTECTION_DOMAIN_CLOSE(ProtectionDomain.class, "close"),
    /** {@code ProtectionDomain.createAh}. */
    PROTECTION_DOMAIN_CREATE_AH(ProtectionDomain.class, "createAh"),
    /** {@code ProtectionDomain.createQp}. */
    PROTECTION_DOMAIN_CREATE_QP(ProtectionDomain.class, "createQp"),
    /** {@code ProtectionDomain.createSrq}. */
    PROTECTION_DOMAIN_CREATE_SRQ(ProtectionDomain.class, "createSrq"),
    /** {@code ProtectionDomain.registerDmabuf}. */
    PROTECTION_DOMAIN_REGISTER_DMABUF(ProtectionDomain.class, "registerDmabuf"),
    /** {@code ProtectionDomain.registerImplicit}. */
    PROTECTION_DOMAIN_REGISTER_IMPLICIT(ProtectionDomain.class, "registerImplicit"),
    /** {@code ProtectionDomain.registerMemory}. */
    PROTECTION_DOMAIN_REGISTER_MEMORY(ProtectionDomain.class, "registerMemory"),
    /** {@code QueuePair.attachMulticast}. */
    QUEUE_PAIR_ATTACH_MULTICAST(QueuePair.class, "attachMulticast"),
    /** {@code QueuePair.bindMemoryWindow}. */
    QUEUE_PAIR_BIND_MEMORY_WINDOW(QueuePair.class, "bindMemoryWindow"),
    /** {@code QueuePair.close}. */
    QUEUE_PAIR_CLOSE(QueuePair.class, "close"),
    /** {@code QueuePair.detachMulticast}. */
    QUEUE_PAIR_DETACH_MULTICAST(QueuePair.class, "detachMulticast"),
    /** {@code QueuePair.isDataInOrder}. */
    QUEUE_PAIR_IS_DATA_IN_ORDER(QueuePair.class, "isDataInOrder"),
    /** {@code QueuePair.modify}. */
    QUEUE_PAIR_MODIFY(QueuePair.class, "modify"),
    /** {@code QueuePair.postReceive}. */
    QUEUE_PAIR_POST_RECEIVE(QueuePair.class, "postReceive"),
    /** {@code QueuePair.postSend}. */
    QUEUE_PAIR_POST_SEND(QueuePair.class, "postSend"),
    /** {@code QueuePair.query}. */
    QUEUE_PAIR_QUERY(QueuePair.class, "query"),
    /** {@code QueuePair.queryEce}. */
    QUEUE_PAIR_QUERY_ECE(QueuePair.class, "queryEce"),
    /** {@code QueuePair.setEce}. */
    QUEUE_PAIR_SET_ECE(QueuePair.class, "setEce"),
    /** {@code SharedReceiveQueue.armLimit}. */
    SHARED_RECEIVE_QUEUE_ARM_LIMIT(SharedReceiveQueue.class, "armLimit"),
    /** {@code SharedReceiveQueue.close}. */
    SHARED_RECEIVE_QUEUE_CLOSE(SharedReceiveQueue.class, "close"),
    /** {@code SharedReceiveQueue.postReceive}. */
    SHARED_RECEIVE_QUEUE_POST_RECEIVE(SharedReceiveQueue.class, "postReceive"),
    /** {@code SharedReceiveQueue.query}. */
    SHARED_RECEIVE_QUEUE_QUERY(SharedReceiveQueue.class, "query"),
    /** {@code SharedReceiveQueue.resize}. */
    SHARED_RECEIVE_QUEUE_RESIZE(SharedReceiveQueue.class, "resize"),
    /** {@code VerbsArena.allocate}. */
    VERBS_ARENA_ALLOCATE(VerbsArena.class, "allocate"),
    /** {@code VerbsProvider.open}. */
    VERBS_PROVIDER_OPEN(VerbsProvider.class, "open");

    private static final Map<String, FaultyCall> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(FaultyCall::toString, Function.identity()));

    private final String name;

    FaultyCall(Class<?> type, String method) {
        name = type.getSimpleName() + "." + method;
    }

    /** Returns the {@code FaultyCall} of a verbs method; empty if a test cannot inject a fault into the method. */
    static Optional<FaultyCall> of(Method method) {
        return Optional.ofNullable(BY_NAME.get(FaultyCalls.nameOf(method)));
    }

    /**
     * Returns the names of the verbs interface and its method, as error messages show them.
     *
     * @return such as {@code ProtectionDomain.registerMemory}
     */
    @Override
    public String toString() {
        return name;
    }
}
