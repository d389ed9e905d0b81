package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.arbitraries.LinkFaults;
import dev.verbena.conformance.arbitraries.Program;
import dev.verbena.conformance.arbitraries.ScatterList;
import dev.verbena.conformance.arbitraries.VerbsArbitraries;
import dev.verbena.conformance.arbitraries.WorkRequest;
import dev.verbena.conformance.side.Connection;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class VerbsArbitrariesTest {
    @Provide
    Arbitrary<WorkRequest> workRequests() {
        return VerbsArbitraries.workRequests();
    }

    @Provide
    Arbitrary<ScatterList> scatterGatherLists() {
        return VerbsArbitraries.scatterGatherLists();
    }

    @Provide
    Arbitrary<Connection> qpAttributes() {
        return VerbsArbitraries.qpAttributes();
    }

    @Provide
    Arbitrary<LinkFaults> faultPlans() {
        return VerbsArbitraries.faultPlans();
    }

    @Provide
    Arbitrary<Program> programs() {
        return VerbsArbitraries.programs();
    }

    /** Neither an object's hash nor the name of a type: a person is to read it. */
    @Property
    void theTextOfASampleIsForPeople(
            @ForAll("workRequests") WorkRequest request,
            @ForAll("scatterGatherLists") ScatterList list,
            @ForAll("qpAttributes") Connection connection,
            @ForAll("faultPlans") LinkFaults faults,
            @ForAll("programs") Program program) {
        assertThat(List.of(request, list, connection, faults, program))
                .extracting(Object::toString)
                .allSatisfy(text -> assertThat(text)
                        .doesNotContainPattern("@[0-9a-f]{4,}")
                        .doesNotContain("WorkRequest[", "Piece[", "Connection[", "LinkFaults[", "Post[", "Optional["));
    }

    @Property
    void aRequestStaysInsideItsMemory(@ForAll("workRequests") WorkRequest request) {
        assertThat(request.length()).isBetween(0, WorkRequest.LONGEST);
        assertThat(request.at()).isBetween(0, WorkRequest.LAST);
        if (request.isAtomic()) {
            assertThat(request.at() % Long.BYTES).isZero();
            assertThat(request.length()).isEqualTo(Long.BYTES);
        }
    }

    @Property
    void aListFitsItsMemory(@ForAll("scatterGatherLists") ScatterList list) {
        assertThat(list.pieces())
                .hasSizeBetween(1, ScatterList.MOST)
                .allSatisfy(
                        piece -> assertThat(piece.offset() + piece.length()).isLessThanOrEqualTo(ScatterList.MEMORY));
    }
}
