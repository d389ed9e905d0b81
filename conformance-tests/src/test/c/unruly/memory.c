// SPDX-License-Identifier: Apache-2.0
// Protection domains, regions, windows, and the access checks of keys.
#include <unistd.h>
#include "unruly.h"

enum { SLOTS = 1 << 16 };
static struct u_grant *grants[SLOTS];
static unsigned last_slot;

// Stores a grant under a new key. The lowest bit of the key is the parity of its index, so that no change of one bit of a key makes another
// valid key.
static int place(struct u_grant *grant) {
  static uint8_t tag;
  for (int tries = 1; tries < SLOTS; tries++) {
    last_slot = last_slot % (SLOTS - 1) + 1;
    if (grants[last_slot] == NULL) {
      grants[last_slot] = grant;
      tag += 2;
      grant->rkey = last_slot << 8 | tag | __builtin_parity(last_slot);
      grant->lkey = u_me->separate_keys ? ~grant->rkey : grant->rkey;
      return 0;
    }
  }
  return ENOMEM;
}

static void remove_grant(struct u_grant *grant) {
  grants[grant->rkey >> 8] = NULL;
}

static struct u_grant *granted(uint32_t key) {
  return key >> 8 < SLOTS ? grants[key >> 8] : NULL;
}

static char *within(const struct u_grant *grant, uint64_t address, uint64_t length, int needed) {
  if (u_fault(ANY_RIGHT)) {
    needed = 0;
  }
  if (u_fault(BOUNDS) && address >= grant->start && address <= grant->start + grant->length) {
    length = 0;
  }
  bool inside = grant->bound && address >= grant->start && length <= grant->length
      && address - grant->start <= grant->length - length;
  char *memory = grant->memory + (address - grant->start);
  return inside && (grant->access & needed) == needed && u_mapped(grant, memory, length) ? memory : NULL;
}

// Returns the memory of an entry of a request, or NULL if its region does not permit the access.
char *u_local(struct ibv_pd *pd, const struct ibv_sge *entry, int needed) {
  struct u_grant *grant = granted(u_me->separate_keys ? ~entry->lkey : entry->lkey);
  return grant == NULL || grant->region == NULL || grant != &grant->region->grant || grant->lkey != entry->lkey || grant->pd != pd
      ? NULL : within(grant, entry->addr, entry->length, needed);
}

// Returns the memory that a request of the peer may access through a queue pair, or NULL.
char *u_remote(struct u_qp *qp, uint32_t rkey, uint64_t address, uint64_t length, int needed) {
  struct u_grant *grant = granted(rkey);
  bool valid = grant != NULL && (grant->rkey == rkey || u_fault(ANY_LOW_BYTE))
      && (grant->pd == qp->qp.pd || u_fault(ANY_DOMAIN)) && (grant->owner == NULL || grant->owner == qp);
  return valid ? within(grant, address, length, needed) : NULL;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  int error = u_enter(__func__);
  struct u_pd *made = NULL;
  if (error == 0) {
    made = u_new(sizeof *made);
    made->pd.context = context;
    u_count(LIVE_PD, 1);
  }
  return u_pointer(made, error);
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0 && ((struct u_pd *)pd)->users > 0) {
    error = EBUSY;
  }
  if (error == 0) {
    u_free(pd, sizeof(struct u_pd));
    u_count(LIVE_PD, -1);
  }
  return u_result(error ? error : answer);
}

static bool access_is_valid(int access) {
  return (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) == 0 || (access & IBV_ACCESS_LOCAL_WRITE);
}

static struct ibv_mr *register_memory(const char *verb, struct ibv_pd *pd, void *memory, size_t length, uint64_t start, int access) {
  int error = u_enter(verb);
  struct u_mr *made = NULL;
  uint64_t other_offset = ((uintptr_t)memory ^ start) & (getpagesize() - 1);
  if (error == 0 && (!access_is_valid(access) || other_offset != 0)) {
    error = EINVAL; // Linux drivers/infiniband/core/uverbs_cmd.c, ib_uverbs_reg_mr: equal offsets within a page
  }
  if (error == 0) {
    made = u_new(sizeof *made);
    made->grant = (struct u_grant){ .pd = pd, .memory = memory, .start = start, .length = length, .access = access, .bound = true,
      .region = made };
    error = place(&made->grant);
    if (error != 0) {
      u_free(made, sizeof *made);
      return u_pointer(NULL, error);
    }
    made->mr = (struct ibv_mr){ .context = pd->context, .pd = pd, .addr = memory, .length = length, .lkey = made->grant.lkey,
      .rkey = made->grant.rkey };
    ((struct u_pd *)pd)->users++;
    u_count(LIVE_MR, 1);
  }
  return u_pointer(made, error);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *memory, size_t length, int access) {
  return register_memory(__func__, pd, memory, length, (uintptr_t)memory, access);
}

// siw_reg_user_mr ignores the address.
static uint64_t start_of(void *memory, uint64_t iova) {
  return u_me->iwarp || u_fault(IGNORED_IOVA) ? (uintptr_t)memory : iova;
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *memory, size_t length, uint64_t iova, int access) {
  return register_memory(__func__, pd, memory, length, start_of(memory, iova), access);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *memory, size_t length, uint64_t iova, unsigned access) {
  return register_memory(__func__, pd, memory, length, start_of(memory, iova), access);
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access) {
  (void)pd, (void)offset, (void)length, (void)iova, (void)fd, (void)access;
  int error = u_enter(__func__);
  return u_pointer(NULL, error ? error : EOPNOTSUPP);
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *memory, size_t length, int access) {
  struct u_mr *region = (struct u_mr *)mr;
  int error = u_enter(__func__);
  if (error == 0 && (u_me->bare || u_me->iwarp)) {
    error = EOPNOTSUPP;
  }
  bool known = flags > 0 && (flags & ~IBV_REREG_MR_FLAGS_SUPPORTED) == 0;
  if (error == 0 && (!known || ((flags & IBV_REREG_MR_CHANGE_ACCESS) && !access_is_valid(access)))) {
    error = EINVAL;
  }
  if (error == 0 && region->windows > 0) {
    error = EBUSY;
  }
  if (error == 0) {
    struct u_grant *grant = &region->grant;
    if (flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
      grant->memory = mr->addr = memory;
      grant->start = (uintptr_t)memory;
      grant->length = mr->length = length;
    }
    if (flags & IBV_REREG_MR_CHANGE_PD) {
      ((struct u_pd *)mr->pd)->users--;
      ((struct u_pd *)pd)->users++;
      grant->pd = mr->pd = pd;
    }
    if (flags & IBV_REREG_MR_CHANGE_ACCESS) {
      grant->access = access;
    }
  }
  return u_result(error) == 0 ? 0 : IBV_REREG_MR_ERR_CMD;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
  struct u_mr *region = (struct u_mr *)mr;
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0 && region->windows > 0) {
    error = EBUSY;
  }
  if (error == 0) {
    ((struct u_pd *)mr->pd)->users--;
    if (!u_fault(REGION_LIVES)) {
      remove_grant(&region->grant);
      u_free(region, sizeof *region);
    }
    u_count(LIVE_MR, -1);
  }
  return u_result(error ? error : answer);
}

struct ibv_mw *u_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type) {
  int error = u_enter("ibv_alloc_mw");
  struct u_mw *made = NULL;
  if (error == 0 && !u_me->full) {
    error = EOPNOTSUPP;
  }
  if (error == 0) {
    made = u_new(sizeof *made);
    made->grant.pd = pd;
    error = place(&made->grant);
    made->mw = (struct ibv_mw){ .context = pd->context, .pd = pd, .rkey = made->grant.rkey, .type = type };
    ((struct u_pd *)pd)->users++;
    u_count(LIVE_MW, 1);
  }
  return u_pointer(made, error);
}

static void unbind(struct u_grant *window) {
  if (window->bound) {
    window->bound = false;
    window->owner = NULL;
    window->region->windows--;
  }
}

int u_dealloc_mw(struct ibv_mw *mw) {
  struct u_mw *window = (struct u_mw *)mw;
  int answer, error = u_destroying("ibv_dealloc_mw", &answer);
  if (error == 0) {
    unbind(&window->grant);
    remove_grant(&window->grant);
    ((struct u_pd *)mw->pd)->users--;
    u_free(window, sizeof *window);
    u_count(LIVE_MW, -1);
  }
  return u_result(error ? error : answer);
}

// Binds a window to a range of a region, with a new key of the same index. The window and the region may have been destroyed after
// the post. Returns an errno.
int u_bind(struct u_qp *qp, const struct ibv_send_wr *wr, uint32_t region_key) {
  const struct ibv_mw_bind_info *info = &wr->bind_mw.bind_info;
  uint32_t rkey = wr->bind_mw.rkey;
  struct u_mw *window = (struct u_mw *)wr->bind_mw.mw;
  struct u_mr *region = (struct u_mr *)info->mr;
  if (granted(rkey) != &window->grant) {
    return EINVAL;
  }
  if (info->length == 0) {
    unbind(&window->grant);
    window->grant.rkey = window->mw.rkey = rkey;
    return 0;
  }
  int writes = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
  bool valid = window->grant.pd == qp->qp.pd && granted(region_key) == &region->grant && region->grant.pd == qp->qp.pd
      && (region->grant.access & IBV_ACCESS_MW_BIND)
      && (!(info->mw_access_flags & writes) || (region->grant.access & IBV_ACCESS_LOCAL_WRITE));
  char *memory = valid ? within(&region->grant, info->addr, info->length, 0) : NULL;
  bool second = window->mw.type == IBV_MW_TYPE_2;
  if (memory == NULL || (second && window->grant.bound)) {
    return EINVAL;
  }
  unbind(&window->grant);
  window->grant.rkey = window->mw.rkey = rkey;
  window->grant.memory = memory;
  window->grant.start = info->addr;
  window->grant.length = u_fault(WHOLE_REGION) ? region->grant.start + region->grant.length - info->addr : info->length;
  window->grant.access = info->mw_access_flags;
  window->grant.bound = true;
  window->grant.owner = second ? qp : NULL;
  window->grant.region = region;
  region->windows++;
  return 0;
}

// Returns whether a key belongs to a window of type 2 that is bound through the queue pair.
bool u_can_invalidate(struct u_qp *qp, uint32_t rkey) {
  struct u_grant *window = granted(rkey);
  return window != NULL && window->rkey == rkey && window->bound && window->owner == qp;
}

bool u_invalidate(struct u_qp *qp, uint32_t rkey) {
  bool can = u_can_invalidate(qp, rkey);
  if (can && !u_fault(STAYS_VALID)) {
    unbind(granted(rkey));
  }
  return can;
}

void u_forget_windows(struct u_qp *qp) {
  for (int i = 0; i < SLOTS; i++) {
    if (grants[i] != NULL && grants[i]->owner == qp) {
      unbind(grants[i]);
    }
  }
}
