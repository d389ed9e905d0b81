// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.FakeLibrary;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.struct.RdmaCmId;
import dev.verbena.ibverbs.struct.RdmaConnParam;
import dev.verbena.ibverbs.struct.RdmaEventChannel;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The longest private data of each message reaches librdmacm, and one byte more is refused. */
class PrivateDataLimitsTest {
    private final FakeLibrary library = new FakeLibrary();
    private final CmCalls calls = mock(CmCalls.class);
    private final NativeConnectionManager manager =
            new NativeConnectionManager(library.library("libibverbs.so.1", library.verbs), calls, new WallRuntime());
    private final List<Integer> lengths = new ArrayList<>();

    @FunctionalInterface
    private interface Call {
        void with(byte[] privateData) throws VerbsException;
    }

    @AfterEach
    void close() throws VerbsException {
        manager.loop().close();
    }

    private ConnectionId id(PortSpace portSpace) throws VerbsException {
        when(calls.createEventChannel(any())).thenReturn(FakeLibrary.pointer(library.zeroed(RdmaEventChannel.LAYOUT)));
        when(calls.createId(any(), any(), any(), any(), anyInt())).thenAnswer(call -> {
            MemorySegment raw = library.zeroed(RdmaCmId.LAYOUT);
            raw.set(ADDRESS, RdmaCmId.VERBS, raw);
            ((MemorySegment) call.getArgument(2)).set(ADDRESS, 0, raw);
            return 0;
        });
        when(calls.connect(any(), any(), any())).thenAnswer(call -> take(call.getArgument(2)));
        when(calls.accept(any(), any(), any())).thenAnswer(call -> take(call.getArgument(2)));
        when(calls.reject(any(), any(), any(), anyInt())).thenAnswer(call -> {
            lengths.add(call.getArgument(3));
            return 0;
        });
        return manager.createId(manager.createEventChannel(), portSpace, null);
    }

    private int take(MemorySegment parameters) {
        lengths.add(Byte.toUnsignedInt(parameters.get(JAVA_BYTE, RdmaConnParam.PRIVATE_DATA_LEN)));
        return 0;
    }

    private static ConnectionParameters parameters(byte[] privateData) {
        return ConnectionParameters.builder().privateData(privateData).build();
    }

    /** REQ, REP and REJ; SIDR_REQ and SIDR_REP. The header of rdma_cm takes 36 bytes of a REQ and a SIDR_REQ. */
    @ParameterizedTest
    @CsvSource({"TCP, 56, 196, 148", "IB, 56, 196, 148", "UDP, 180, 136, 136", "IPOIB, 180, 136, 136"})
    void privateDataIsLimitedByTheMessage(PortSpace portSpace, int request, int reply, int reject)
            throws VerbsException {
        ConnectionId id = id(portSpace);

        check(request, data -> id.connect(parameters(data)));
        check(reply, data -> id.accept(parameters(data)));
        check(reject, id::reject);
    }

    private void check(int most, Call call) throws VerbsException {
        lengths.clear();
        call.with(new byte[0]);
        call.with(new byte[most]);
        VerbsException refused = catchThrowableOfType(VerbsException.class, () -> call.with(new byte[most + 1]));

        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refused).hasMessageContainingAll(String.valueOf(most), String.valueOf(most + 1));
        assertThat(lengths).containsExactly(0, most);
    }
}
