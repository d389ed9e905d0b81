// SPDX-License-Identifier: Apache-2.0
// Devices, contexts, ports, and asynchronous events.
#include <arpa/inet.h>
#include <stdio.h>
#include "unruly.h"

static struct ibv_device device;
static union ibv_gid gids[GIDS];
static struct u_context *of_cm;

__attribute__((constructor)) static void initialise(void) {
  device.node_type = IBV_NODE_CA;
  device.transport_type = IBV_TRANSPORT_IB;
  snprintf(device.name, sizeof device.name, "plain0");
  snprintf(device.dev_name, sizeof device.dev_name, "uverbs0");
  inet_pton(AF_INET6, "fe80::2:1", &gids[0]);
  inet_pton(AF_INET6, "::ffff:192.0.2.1", &gids[1]);
}

union ibv_gid *u_gid(unsigned index) {
  return index < GIDS ? &gids[index] : NULL;
}

int u_gid_index(const union ibv_gid *gid) {
  for (int i = 0; i < GIDS; i++) {
    if (memcmp(gid, &gids[i], sizeof *gid) == 0) {
      return i;
    }
  }
  return -1;
}

bool u_is_ipv4(const union ibv_gid *gid) {
  static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
  return memcmp(gid, mapped, sizeof mapped) == 0;
}

bool u_is_group(const union ibv_gid *gid) {
  return gid->raw[0] == 0xff || (u_is_ipv4(gid) && (gid->raw[12] & 0xf0) == 0xe0);
}

bool u_path_is_good(const struct ibv_ah_attr *path) {
  return path->is_global && path->port_num == 1 && u_gid(path->grh.sgid_index) != NULL;
}

struct ibv_device **ibv_get_device_list(int *count) {
  int error = u_enter(__func__);
  struct ibv_device **list = NULL;
  if (error == 0) {
    list = calloc(2, sizeof *list);
    list[0] = &device;
    u_count(LIVE_LIST, 1);
    if (count != NULL) {
      *count = 1;
    }
  }
  return u_pointer(list, error);
}

void ibv_free_device_list(struct ibv_device **list) {
  u_lock();
  free(list);
  u_count(LIVE_LIST, -1);
  u_unlock();
}

const char *ibv_get_device_name(struct ibv_device *asked) {
  return asked->name;
}

__be64 ibv_get_device_guid(struct ibv_device *asked) {
  (void)asked;
  return htobe64(0x0200000000000001);
}

static int query_device(struct ibv_device_attr *attr) {
  *attr = (struct ibv_device_attr){
    .fw_ver = "unruly", .node_guid = ibv_get_device_guid(&device), .sys_image_guid = ibv_get_device_guid(&device),
    .max_mr_size = 1ull << 40, .page_size_cap = 0xfffff000, .max_qp = 4096, .max_qp_wr = MAX_WR,
    .device_cap_flags = IBV_DEVICE_SRQ_RESIZE | IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B
        | IBV_DEVICE_MEM_MGT_EXTENSIONS,
    .max_sge = MAX_SGE, .max_sge_rd = MAX_SGE, .max_cq = 4096, .max_cqe = MAX_CQE, .max_mr = 65000, .max_pd = 4096,
    .max_qp_rd_atom = MAX_RD_ATOM, .max_res_rd_atom = MAX_RD_ATOM * 4096, .max_qp_init_rd_atom = MAX_RD_ATOM,
    .atomic_cap = IBV_ATOMIC_HCA, .max_mw = 65000, .max_mcast_grp = MAX_GROUPS, .max_mcast_qp_attach = MAX_ATTACHED,
    .max_total_mcast_qp_attach = MAX_ATTACHED, .max_ah = 4096, .max_srq = 4096, .max_srq_wr = MAX_WR,
    .max_srq_sge = MAX_SGE, .max_pkeys = PKEYS, .local_ca_ack_delay = 15, .phys_port_cnt = 1,
  };
  return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  (void)context;
  int error = u_enter(__func__);
  return u_result(error ? error : query_device(attr));
}

static int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
    struct ibv_device_attr_ex *attr, size_t length) {
  (void)context, (void)input;
  int error = u_enter("ibv_query_device_ex");
  if (error == 0) {
    memset(attr, 0, length);
    query_device(&attr->orig_attr);
  }
  return u_result(error);
}

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t length) {
  (void)context;
  int error = u_enter("ibv_query_port");
  if (error == 0 && port != 1) {
    error = EINVAL;
  }
  if (error == 0) {
    struct ibv_port_attr found = {
      .state = IBV_PORT_ACTIVE, .max_mtu = IBV_MTU_4096, .active_mtu = IBV_MTU_1024, .gid_tbl_len = GIDS,
      .port_cap_flags = IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS, .max_msg_sz = MAX_MESSAGE, .pkey_tbl_len = PKEYS,
      .active_width = 1, .active_speed = 32, .phys_state = 5, .link_layer = IBV_LINK_LAYER_ETHERNET,
      .flags = IBV_QPF_GRH_REQUIRED,
    };
    memset(attr, 0, length);
    memcpy(attr, &found, length < sizeof found ? length : sizeof found);
  }
  return u_result(error);
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
  return query_port(context, port, (struct ibv_port_attr *)attr, offsetof(struct ibv_port_attr, port_cap_flags2));
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t most, uint32_t flags, size_t size) {
  (void)context, (void)flags;
  int error = u_enter("ibv_query_gid_table");
  if (error == 0 && most < GIDS) {
    error = EINVAL;
  }
  for (unsigned i = 0; error == 0 && i < GIDS; i++) {
    struct ibv_gid_entry *entry = (struct ibv_gid_entry *)((char *)entries + i * size);
    *entry = (struct ibv_gid_entry){ .gid = gids[i], .gid_index = i, .port_num = 1, .gid_type = IBV_GID_TYPE_ROCE_V2 };
  }
  u_result(error);
  return error ? -error : GIDS;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey) {
  (void)context;
  int error = u_enter(__func__);
  if (error == 0 && (port != 1 || index < 0 || index >= PKEYS)) {
    error = EINVAL;
  }
  if (error == 0) {
    *pkey = htobe16(0xffff);
  }
  return u_minus(error);
}

static int unsupported(void) {
  return EOPNOTSUPP;
}

static void *unsupported_object(void) {
  errno = EOPNOTSUPP;
  return NULL;
}

static struct u_context *open_context(void) {
  struct u_context *made = calloc(1, sizeof *made);
  if (!u_events_open(&made->async)) {
    free(made);
    return NULL;
  }
  made->verbs.sz = sizeof made->verbs;
  made->verbs.query_port = query_port;
  made->verbs.query_device_ex = query_device_ex;
  made->verbs.modify_cq = (void *)unsupported;
  made->verbs.query_rt_values = (void *)unsupported;
  made->verbs.create_cq_ex = (void *)unsupported_object;
  made->verbs.create_qp_ex = (void *)unsupported_object;
  struct ibv_context *context = &made->verbs.context;
  context->device = &device;
  context->ops.alloc_mw = u_alloc_mw;
  context->ops.bind_mw = u_bind_mw;
  context->ops.dealloc_mw = u_dealloc_mw;
  context->ops.poll_cq = u_poll_cq;
  context->ops.req_notify_cq = u_req_notify_cq;
  context->ops.post_srq_recv = u_post_srq_recv;
  context->ops.post_send = u_post_send;
  context->ops.post_recv = u_post_recv;
  context->async_fd = made->async.fd;
  context->cmd_fd = -1;
  context->num_comp_vectors = VECTORS;
  context->abi_compat = (void *)-1;
  u_count(LIVE_CONTEXT, 1);
  return made;
}

struct u_context *u_context(struct ibv_context *context) {
  return (struct u_context *)((char *)context - offsetof(struct u_context, verbs.context));
}

// The context that librdmacm opens once and keeps.
struct ibv_context *u_cm_context(void) {
  if (of_cm == NULL) {
    of_cm = open_context();
    u_count(LIVE_CONTEXT, -1);
  }
  return &of_cm->verbs.context;
}

struct ibv_context *ibv_open_device(struct ibv_device *asked) {
  (void)asked;
  int error = u_enter(__func__);
  struct u_context *made = error ? NULL : open_context();
  return u_pointer(made == NULL ? NULL : &made->verbs.context, error ? error : made == NULL ? ENOMEM : 0);
}

int ibv_close_device(struct ibv_context *context) {
  int error = u_enter(__func__);
  if (error == 0) {
    u_events_close(&u_context(context)->async);
    free(u_context(context));
    u_count(LIVE_CONTEXT, -1);
  }
  return u_minus(error);
}

int ibv_fork_init(void) {
  return 0;
}

// Queues an asynchronous event about an object of a context.
void u_async(struct ibv_context *context, enum ibv_event_type type, void *element) {
  struct u_async *event = calloc(1, sizeof *event);
  event->raw.event_type = type;
  event->raw.element.qp = element;
  u_events_add(&u_context(context)->async, &event->event, element);
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *to) {
  u_lock();
  struct u_event *event;
  int error = u_events_next(&u_context(context)->async, &event);
  if (error == 0) {
    *to = ((struct u_async *)event)->raw;
    free(event);
    switch (to->event_type) {
      case IBV_EVENT_CQ_ERR: ((struct u_cq *)to->element.cq)->async++; break;
      case IBV_EVENT_SRQ_ERR:
      case IBV_EVENT_SRQ_LIMIT_REACHED: ((struct u_srq *)to->element.srq)->async++; break;
      case IBV_EVENT_QP_FATAL:
      case IBV_EVENT_QP_REQ_ERR:
      case IBV_EVENT_QP_ACCESS_ERR:
      case IBV_EVENT_COMM_EST:
      case IBV_EVENT_SQ_DRAINED:
      case IBV_EVENT_QP_LAST_WQE_REACHED: ((struct u_qp *)to->element.qp)->async++; break;
      default: break;
    }
  }
  return u_minus(error);
}

void ibv_ack_async_event(struct ibv_async_event *event) {
  u_lock();
  switch (event->event_type) {
    case IBV_EVENT_CQ_ERR: event->element.cq->async_events_completed++; break;
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED: event->element.srq->events_completed++; break;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_QP_LAST_WQE_REACHED: event->element.qp->events_completed++; break;
    default: break;
  }
  u_wake();
  u_unlock();
}

// Removes the events of an object that nobody has read, as the kernel does when the object is destroyed. Returns whether all events that
// were read are acknowledged, too.
bool u_acknowledged(struct ibv_context *context, void *element, uint32_t *completed, uint32_t reported) {
  for (struct u_event *event; (event = u_events_take(&u_context(context)->async, element)) != NULL;) {
    free(event);
  }
  return *completed == reported;
}
