// SPDX-License-Identifier: Apache-2.0
// The personalities. The variable UNRULY_PERSONALITY of the environment has the name of one; without it the device is plain.
#include <stdio.h>
#include "unruly.h"

enum { RC = 1 << IBV_QPT_RC, UC = 1 << IBV_QPT_UC, UD = 1 << IBV_QPT_UD };

static const struct u_personality ALL[] = {
  { .name = "plain", .types = RC | UC | UD, .ports = 1, .gid_table = 3, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true },
  // ConnectX: rdma-core providers/mlx5/verbs.c (mlx5_calc_sq_size, align_queue_size), Linux drivers/infiniband/hw/mlx5/srq.c
  // (mlx5_ib_modify_srq refuses IB_SRQ_MAX_WR). Two ports whose GID tables have RoCE v1 and v2 entries, also of a VLAN, and gaps.
  { .name = "mlx", .types = RC | UC | UD, .ports = 2, .gid_table = 255, .max_sge = MAX_SGE, .max_cqe = MAX_CQE - 1, .full = true,
    .rounds = true, .least_inline = 60, .mixed_gids = true },
  // ibv_reg_mr(3): "the lkey and rkey"; IBTA volume 1, 10.6.3.3. No kernel driver has them differ, but the interface permits it.
  { .name = "keys", .types = RC | UC | UD, .ports = 1, .gid_table = 3, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true, .separate_keys = true },
  // Elastic Fabric Adapter: rdma-core providers/efa/verbs.c (efa_create_qp: UD and SRD), Linux drivers/infiniband/hw/efa/efa_verbs.c.
  // Two entries for each request; no SRQ, windows, atomics, groups, and no rdma_cm.
  { .name = "efa", .types = UD, .ports = 1, .gid_table = 1, .max_sge = 2, .max_cqe = MAX_CQE, .bare = true },
  // Each call takes up to 300 microseconds, as calls of a card with a slow command interface do.
  { .name = "slow", .types = RC | UC | UD, .ports = 1, .gid_table = 3, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true, .delay = 300 },
  // A system with pages of 64 KiB, as aarch64 and ppc64le may have: Linux Documentation/arch/arm64/memory.rst.
  { .name = "pages", .types = RC | UC | UD, .ports = 1, .gid_table = 3, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true, .page = 1 << 16 },
  // rdma-core providers/hfi1verbs, Linux drivers/infiniband/sw/rdmavt/qp.c (rvt_create_qp: max_inline_data = 0): a driver may grant less inline
  // data than it was asked for, although ibv_create_qp(3) promises as much.
  { .name = "inline", .types = RC | UC | UD, .ports = 1, .gid_table = 3, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true, .most_inline = 8 },
  // Compressed completions of ConnectX: rdma-core providers/mlx5/man/mlx5dv_create_cq.3.md (MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE). The
  // device writes several completions together, so that they become visible in bursts, in the order of the queue.
  { .name = "bursts", .types = RC | UC | UD, .ports = 1, .gid_table = 3, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true, .burst = 8 },
  // A virtual function of ConnectX on InfiniBand: Linux drivers/infiniband/hw/mlx5/main.c (mlx5_query_hca_port: grh_required),
  // drivers/infiniband/core/verbs.c (rdma_check_ah_attr, is_valid_mcast_lid). Two ports in two subnets that no router joins; each has a LID
  // and the default GID alone. rdma_cm uses addresses of IPoIB (drivers/infiniband/core/cma.c), which are in no GID.
  { .name = "infiniband", .types = RC | UC | UD, .ports = 2, .gid_table = 1, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .resizes = true,
    .full = true, .infiniband = true },
  // The kernel's Soft-iWARP: Linux drivers/infiniband/sw/siw, rdma-core providers/siw; with the memory windows of irdma (rdma-core
  // providers/irdma/uverbs.c). The GID is the port's MAC address. Reliable connections alone, which rdma_cm makes; no immediate data, no
  // atomics, no groups, no chosen addresses of regions, no resizing, no query of an SRQ. A list of requests that is cut is no error.
  { .name = "iwarp", .types = RC, .ports = 1, .gid_table = 1, .max_sge = MAX_SGE, .max_cqe = MAX_CQE, .full = true, .iwarp = true },
};

const struct u_personality *u_me = &ALL[0];

__attribute__((constructor(101))) static void initialise(void) {
  const char *wanted = getenv("UNRULY_PERSONALITY");
  for (size_t i = 0; wanted != NULL && i < sizeof ALL / sizeof *ALL; i++) {
    if (strcmp(ALL[i].name, wanted) == 0) {
      u_me = &ALL[i];
      return;
    }
  }
  if (wanted != NULL) {
    fprintf(stderr, "UNRULY_PERSONALITY: there is no personality '%s'\n", wanted);
    abort();
  }
}

static unsigned power(unsigned size) {
  unsigned power = 1;
  while (power < size) {
    power <<= 1;
  }
  return power;
}

// Rounds the sizes of a queue pair as the driver does. Returns false if the device has no such queue pair.
bool u_grant(struct ibv_qp_cap *cap) {
  bool fits = cap->max_send_wr <= MAX_WR && cap->max_recv_wr <= MAX_WR && cap->max_send_sge <= u_me->max_sge
      && cap->max_recv_sge <= u_me->max_sge && cap->max_inline_data <= MAX_INLINE;
  if (fits && u_me->rounds) {
    unsigned stride = 2 + cap->max_send_sge > 2 + cap->max_inline_data / 16 ? 2 + cap->max_send_sge : 2 + cap->max_inline_data / 16;
    cap->max_send_wr = power(cap->max_send_wr);
    cap->max_recv_wr = power(cap->max_recv_wr);
    cap->max_inline_data = cap->max_inline_data > u_me->least_inline ? cap->max_inline_data : u_me->least_inline;
    fits = cap->max_send_wr * stride <= MAX_WR * 8;
  }
  if (u_me->most_inline > 0 && cap->max_inline_data > u_me->most_inline) {
    cap->max_inline_data = u_me->most_inline;
  }
  return fits;
}

int u_grant_cqe(int cqe) {
  return u_me->rounds ? (int)power(cqe + 1) - 1 : cqe;
}
