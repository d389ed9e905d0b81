// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A verbs call needs at least one of the {@code capabilities}. The verbs call fails if {@code FaultyProvider.hide} has
 * hidden all of these {@code capabilities} that the device supports. The {@code verb} is the C name of the verbs call.
 */
record Needs(Set<Capability> capabilities, String verb) {
    private static Optional<Needs> of(String verb, Capability first, Capability... others) {
        return Optional.of(new Needs(EnumSet.of(first, others), verb));
    }

    /** Returns the capabilities that a call with these arguments needs; empty if every device supports the call. */
    static Optional<Needs> of(FaultyCall call, @Nullable Object[] arguments) {
        return switch (call) {
            case DEVICE_GID_TABLE -> of("ibv_query_gid_table", Capability.GLOBAL_ROUTING);
            case DEVICE_CREATE_CQ ->
                arguments[0] instanceof CqInitAttributes attributes && attributes.timestamps()
                        ? of("ibv_create_cq_ex", Capability.COMPLETION_TIMESTAMP)
                        : Optional.empty();
            case DEVICE_QUERY_HCA_CLOCK -> of("ibv_query_rt_values_ex", Capability.COMPLETION_TIMESTAMP);
            case DEVICE_CREATE_COMPLETION_CHANNEL -> of("ibv_create_comp_channel", Capability.COMPLETION_CHANNEL);
            case COMPLETION_QUEUE_MODERATE -> of("ibv_modify_cq", Capability.CQ_MODERATION);
            case COMPLETION_QUEUE_RESIZE -> of("ibv_resize_cq", Capability.CQ_RESIZE);
            case PROTECTION_DOMAIN_REGISTER_DMABUF -> of("ibv_reg_dmabuf_mr", Capability.DMABUF_MR);
            case PROTECTION_DOMAIN_REGISTER_IMPLICIT -> of("ibv_reg_mr", Capability.IMPLICIT_ON_DEMAND_PAGING);
            case PROTECTION_DOMAIN_ADVISE_MR -> of("ibv_advise_mr", Capability.ON_DEMAND_PAGING);
            case PROTECTION_DOMAIN_REGISTER_MEMORY -> ofRegistration(arguments);
            case MEMORY_REGION_REREGISTER -> of("ibv_rereg_mr", Capability.REREGISTER_MR);
            case PROTECTION_DOMAIN_ALLOCATE_MW ->
                arguments[0] == MemoryWindowType.TYPE_1
                        ? of("ibv_alloc_mw", Capability.MW_TYPE_1)
                        : of("ibv_alloc_mw", Capability.MW_TYPE_2A, Capability.MW_TYPE_2B);
            case PROTECTION_DOMAIN_CREATE_SRQ -> of("ibv_create_srq", Capability.SRQ);
            case SHARED_RECEIVE_QUEUE_RESIZE -> of("ibv_modify_srq", Capability.SRQ_RESIZE);
            case PROTECTION_DOMAIN_CREATE_AH ->
                arguments.length == 1
                        ? of("ibv_create_ah", Capability.UD)
                        : of("ibv_create_ah_from_wc", Capability.AH_FROM_COMPLETION);
            case PROTECTION_DOMAIN_CREATE_QP ->
                arguments[0] instanceof QpInitAttributes attributes ? ofQueuePair(attributes) : Optional.empty();
            case CONNECTION_ID_CREATE_QP ->
                arguments[1] instanceof QpInitAttributes attributes ? ofQueuePair(attributes) : Optional.empty();
            case QUEUE_PAIR_MODIFY ->
                arguments[0] instanceof QpAttributes attributes ? ofModify(attributes) : Optional.empty();
            case QUEUE_PAIR_QUERY -> of("ibv_query_qp", Capability.QP_QUERY);
            case QUEUE_PAIR_QUERY_ECE -> of("ibv_query_ece", Capability.ECE);
            case QUEUE_PAIR_SET_ECE -> of("ibv_set_ece", Capability.ECE);
            case QUEUE_PAIR_BIND_MEMORY_WINDOW -> of("ibv_bind_mw", Capability.MW_TYPE_1);
            case QUEUE_PAIR_ATTACH_MULTICAST -> of("ibv_attach_mcast", Capability.UD_MULTICAST);
            case QUEUE_PAIR_DETACH_MULTICAST -> of("ibv_detach_mcast", Capability.UD_MULTICAST);
            case FAST_REGISTRATION_ALLOCATE ->
                Boolean.TRUE.equals(arguments[2])
                        ? of("ib_alloc_mr", Capability.FAST_REGISTRATION_GAPS)
                        : of("ib_alloc_mr", Capability.FAST_REGISTRATION);
            case FMR_REGISTRATION_ALLOCATE -> of("ib_alloc_fmr", Capability.FMR);
            default -> Optional.empty();
        };
    }

    private static Optional<Needs> ofRegistration(@Nullable Object[] arguments) {
        @Nullable Object last = arguments[arguments.length - 1];
        Set<?> access = switch (last) {
            case MrInitAttributes attributes -> attributes.access();
            case Set<?> flags -> flags;
            case AccessFlag[] flags -> Set.of(flags);
            case null, default -> Set.of();
        };
        if (access.contains(AccessFlag.ZERO_BASED)) {
            return of("ibv_reg_mr", Capability.ZERO_BASED_MR);
        }
        if (access.contains(AccessFlag.ON_DEMAND)) {
            return of("ibv_reg_mr", Capability.ON_DEMAND_PAGING);
        }
        boolean iova =
                last instanceof MrInitAttributes attributes ? attributes.iova().isPresent() : arguments.length == 3;
        return iova ? of("ibv_reg_mr_iova", Capability.IOVA_MR) : Optional.empty();
    }

    private static Optional<Needs> ofQueuePair(QpInitAttributes attributes) {
        return of(
                "ibv_create_qp",
                switch (attributes.type()) {
                    case RC -> Capability.RC;
                    case UC -> Capability.UC;
                    case UD -> Capability.UD;
                });
    }

    private static Optional<Needs> ofModify(QpAttributes attributes) {
        QpState state = attributes.has(QpAttribute.STATE) ? attributes.state() : QpState.RESET;
        return switch (state) {
            case SQD -> of("ibv_modify_qp", Capability.SQ_DRAIN);
            case INIT, RTR -> of("ibv_modify_qp", Capability.MANUAL_CONNECT);
            case RESET, RTS, SQE, ERR -> Optional.empty();
        };
    }
}
