package dev.verbena.conformance;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A provider with a fault.
 *
 * @param rule the rule that must catch it
 * @param fault what is wrong
 * @param fabric what it does to packets
 * @param device what it does to calls
 */
record Mutant(String rule, String fault, UnaryOperator<Fabric> fabric, UnaryOperator<Device> device) {
    @Override
    public String toString() {
        return rule + ": " + fault;
    }

    /** Changes packets as they are sent. */
    static Mutant ofPackets(String rule, String fault, Consumer<SimPacket> change) {
        UnaryOperator<Fabric> fabric = real -> Intercept.calls(Fabric.class, real, call -> {
            Object result = call.proceed();
            return result instanceof FabricPort port ? new ChangingPort(port, change) : result;
        });
        return new Mutant(rule, fault, fabric, device -> device);
    }

    /** Changes calls on devices. */
    static Mutant ofDevice(String rule, String fault, Intercept.Rule change) {
        return new Mutant(rule, fault, fabric -> fabric, device -> Intercept.calls(Device.class, device, change));
    }

    /** Changes calls on protection domains. */
    static Mutant ofDomain(String rule, String fault, Intercept.Rule change) {
        return ofDevice(rule, fault, within(ProtectionDomain.class, change));
    }

    /** Changes calls on queue pairs. */
    static Mutant ofQueuePair(String rule, String fault, Intercept.Rule change) {
        return ofDomain(rule, fault, within(QueuePair.class, change));
    }

    /** Changes what is filled into send requests. */
    static Mutant ofSends(String rule, String fault, Intercept.Rule change) {
        return ofQueuePair(rule, fault, within(SendRequests.class, within(SendWorkRequest.class, change)));
    }

    private static <T> Intercept.Rule within(Class<T> type, Intercept.Rule change) {
        return call -> {
            Object result = call.proceed();
            return type.isInstance(result) ? Intercept.calls(type, type.cast(result), change) : result;
        };
    }

    /** A port that changes packets before it sends them. */
    private record ChangingPort(FabricPort real, Consumer<SimPacket> change) implements FabricPort {
        @Override
        public SimPacket newPacket() {
            return real.newPacket();
        }

        @Override
        public void send(SimPacket packet) {
            change.accept(packet);
            real.send(packet);
        }

        @Override
        public void join(Gid group) throws VerbsException {
            real.join(group);
        }

        @Override
        public void leave(Gid group) {
            real.leave(group);
        }

        @Override
        public int mtu() {
            return real.mtu();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
