// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests regions that are mapped by calls, when the device refuses or is replaced. */
class FmrStrategyTest {

    private static final long PAGE = NodeMemory.PAGE;
    /** How often a region may be mapped before it has to be unmapped. */
    private static final int MAX_MAPS = 32;

    private SimProvider simulated;
    private FaultyProvider provider;
    private Device device;
    private ProtectionDomain domain;
    private NodeMemory memory;
    private FmrStrategy strategy;

    @BeforeEach
    void open() throws VerbsException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        simulated =
                new SimProvider(runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "10.0.0.1")));
        provider = new FaultyProvider(simulated);
        device = provider.open("sim0");
        domain = device.allocatePd();
        memory = new NodeMemory(device, domain, 1 << 20, Set.of(AccessFlag.LOCAL_WRITE), new Random(1));
        strategy = strategy(false);
    }

    private FmrStrategy strategy(boolean invalidateOnRelease) throws VerbsException {
        return new FmrStrategy(
                device, domain, memory, new PoolParameters(4, 4, true, false, invalidateOnRelease), () -> 0);
    }

    @AfterEach
    void close() throws VerbsException {
        strategy.close();
        memory.close();
        domain.close();
        device.close();
        simulated.close();
    }

    private Registration map(long page) throws VerbsException {
        PieceList pieces = new PieceList();
        assertThat(pieces.add(page * PAGE, PAGE)).isTrue();
        return Objects.requireNonNull(strategy.map(pieces));
    }

    @Test
    void aRegionThatCannotBeUnmappedStaysInItsPoolUntilItCan() throws VerbsException {
        for (int i = 0; i < MAX_MAPS; i++) {
            map(i).release(false);
        }
        provider.fail(FaultyCall.FMR_REGISTRATION_UNMAP, 1, 2, Errno.EIO);
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> map(MAX_MAPS))
                    .as("attempt %d", attempt)
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
            assertThat(strategy.inUse()).as("attempt %d", attempt).isZero();
        }
        Registration registration = map(MAX_MAPS);
        assertThat(strategy.objects()).as("the same region").isEqualTo(1);
        registration.release(false);
        assertThat(strategy.inUse()).isZero();
    }

    /** The peer must not keep access, and the pool continues with another region. */
    @Test
    void aRegionThatCannotBeUnmappedWhenItsTransferEndsIsDeallocated() throws VerbsException {
        strategy.close();
        strategy = strategy(true);
        Registration first = map(0);
        int key = first.rkey();
        provider.fail(FaultyCall.FMR_REGISTRATION_UNMAP, 1, 1, Errno.EIO);
        first.release(false);
        assertThat(strategy.objects()).isZero();
        Registration second = map(0);
        assertThat(second.rkey() >>> 8).isNotEqualTo(key >>> 8);
        second.release(false);
        assertThat(strategy.objects()).isEqualTo(1);
    }

    /** Its place in the pool is free again, as after an error number. */
    @Test
    void aRegionWhoseUnmappingThrowsIsDeallocatedToo() throws VerbsException {
        strategy.close();
        FmrRegistration real = device.extension(FmrRegistration.class).orElseThrow();
        FmrRegistration throwing = new FmrRegistration() {
            @Override
            public FmrRegion allocate(ProtectionDomain of, int maxPages, Set<AccessFlag> access) throws VerbsException {
                return real.allocate(of, maxPages, access);
            }

            @Override
            public void unmap(List<FmrRegion> regions) {
                throw new IllegalStateException("unmapping is broken");
            }
        };
        Device actual = device;
        device = (Device) Proxy.newProxyInstance(
                Device.class.getClassLoader(),
                new Class<?>[] {Device.class},
                (proxy, method, arguments) -> Optional.of(throwing));
        strategy = strategy(true);
        device = actual;
        Registration registration = map(0);

        assertThatThrownBy(() -> registration.release(false)).hasMessage("unmapping is broken");

        assertThat(strategy.inUse()).isZero();
        assertThat(strategy.objects()).isZero();
    }

    /** The region in use is destroyed after its last user, and gets no further one. */
    @Test
    void afterTheDeviceWasReplacedNoOldMappingIsReturned() throws VerbsException {
        Registration before = map(0);
        Registration shares = map(0);
        assertThat(shares.rkey()).as("by the cache").isEqualTo(before.rkey());
        strategy.failOver();
        Registration after = map(0);
        assertThat(after.rkey()).isNotEqualTo(before.rkey());
        before.release(false);
        shares.release(false);
        assertThat(strategy.objects()).isEqualTo(1);
        Registration again = map(0);
        assertThat(again.rkey()).as("the cache goes on with the new one").isEqualTo(after.rkey());
        again.release(false);
        after.release(false);
    }

    /** The region is not even unmapped together with others. */
    @Test
    void nothingIsKeptOfARegionThatEndedWithItsPool() throws VerbsException {
        for (int i = 1; i < MAX_MAPS; i++) {
            map(i).release(false);
        }
        Registration last = map(0);
        strategy.failOver();
        last.release(false);
        assertThat(strategy).hasToString("0 FMRs, 0 dirty, 0 flushes refused");
    }
}
