// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replaces one binding at a time. */
class OverridesTest {

    @Test
    void aFabricThatLosesEverythingEndsTheDemoWithAReason() {
        Cli run = Cli.run(
                new AbstractModule() {
                    @Provides
                    @Singleton
                    Fabric hole(SimRuntime runtime) {
                        return new BlackHole(new InProcessFabric(runtime));
                    }
                },
                "demo",
                "--seed",
                "1");
        run.failed(1, "PUT of 1048576 bytes at offset 0 failed", "(E");
    }

    @Test
    void totalLossEndsTheDemoWithAReasonAndACure() {
        Cli.run("demo", "--seed", "1", "--size", "1M", "--loss", "100%").failed(1, "PUT of", "fault probabilities");
    }

    @Test
    void faultsOfTheTestTakeThePlaceOfThoseOfTheOptions() {
        FaultPlan everyTenth = FaultPlan.builder()
                .rule((packet, random) -> packet.ordinal() % 10 == 9 ? Verdict.DROP : Verdict.PASS)
                .build();
        Cli run = Cli.run(
                        new AbstractModule() {
                            @Override
                            protected void configure() {
                                bind(FaultPlan.class).toInstance(everyTenth);
                            }
                        },
                        "demo",
                        "--seed",
                        "1",
                        "--size",
                        "100K",
                        "--loss",
                        "100%")
                .succeeded();
        assertThat(run.sum("DROP")).isPositive();
        assertThat(run.sum("retransmitted_pkts")).isPositive();
    }

    @Test
    void clocksOfTheTestTakeThePlaceOfTheWall() {
        Cli run = Cli.run(
                        new AbstractModule() {
                            @Override
                            protected void configure() {
                                bind(SimRuntime.class).toInstance(new VirtualRuntime(42));
                                bind(InstantSource.class).toInstance(() -> Instant.EPOCH);
                            }
                        },
                        "demo",
                        "--size",
                        "100K")
                .succeeded();
        assertThat(run.value("seed")).isEqualTo("42");
        assertThat(run.value("PUT A -> B")).isEqualTo("0.000000");
    }

    /** Accepts packets and delivers none. */
    private record BlackHole(Fabric inner) implements Fabric {
        @Override
        public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
            FabricPort port = inner.attach(name, gids, receiver);
            return new FabricPort() {
                @Override
                public SimPacket newPacket() {
                    return port.newPacket();
                }

                @Override
                public void send(SimPacket packet) {
                    packet.release();
                }

                @Override
                public void join(Gid group) throws VerbsException {
                    port.join(group);
                }

                @Override
                public void leave(Gid group) {
                    port.leave(group);
                }

                @Override
                public int mtu() {
                    return port.mtu();
                }

                @Override
                public void close() {
                    port.close();
                }
            };
        }

        @Override
        public boolean reaches(Gid source, Gid destination) {
            return inner.reaches(source, destination);
        }

        @Override
        public boolean looksAtBytes() {
            return false;
        }
    }
}
