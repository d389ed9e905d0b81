// SPDX-License-Identifier: Apache-2.0
// On-demand paging: ibv_query_device_ex(3) (odp_caps), ibv_advise_mr(3). The device accesses memory by the addresses of the process.
#include <sys/mman.h>
#include <unistd.h>
#include "unruly.h"

enum { MESSAGES = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV | IBV_ODP_SUPPORT_SRQ_RECV };

// No iWARP driver has on-demand paging.
bool u_has_odp(void) {
  return u_me->full && !u_me->iwarp;
}

void u_describe_odp(struct ibv_device_attr_ex *attr) {
  attr->odp_caps.general_caps = IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT;
  attr->odp_caps.per_transport_caps.rc_odp_caps = MESSAGES | IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ | IBV_ODP_SUPPORT_ATOMIC;
  attr->odp_caps.per_transport_caps.uc_odp_caps = MESSAGES | IBV_ODP_SUPPORT_WRITE;
  attr->odp_caps.per_transport_caps.ud_odp_caps = MESSAGES;
}

// Returns whether an access to a grant reaches mapped memory. The pages of other regions are pinned.
bool u_mapped(const struct u_grant *grant, const char *memory, uint64_t length) {
  if (!(grant->access & IBV_ACCESS_ON_DEMAND) || length == 0) {
    return true;
  }
  if (u_fault(IMPLICIT_MISSES) && grant->memory == NULL) {
    return false;
  }
  uintptr_t page = sysconf(_SC_PAGESIZE), start = (uintptr_t)memory & -page;
  return msync((void *)start, (uintptr_t)memory + length - start, MS_ASYNC) == 0;
}

int u_advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *ranges, uint32_t count) {
  int error = u_enter("ibv_advise_mr");
  int needed = IBV_ACCESS_ON_DEMAND | (advice == IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE ? IBV_ACCESS_LOCAL_WRITE : 0);
  if (error == 0 && (count == 0 || (flags & ~IBV_ADVISE_MR_FLAG_FLUSH))) {
    error = EINVAL;
  }
  for (uint32_t i = 0; i < count && error == 0; i++) {
    error = u_local(pd, &ranges[i], needed) == NULL && !u_fault(UNCHECKED_ADVICE) ? EFAULT : 0;
  }
  return u_result(error);
}
