// SPDX-License-Identifier: Apache-2.0
// Devices, contexts, and asynchronous events.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "unruly.h"

static struct ibv_device devices[2]; // the second one takes the place of the first one when the device returns, and conversely
static struct ibv_device *device = &devices[0];
static struct u_context *contexts;
static struct u_context *of_cm;

__attribute__((constructor)) static void initialise(void) {
  for (int i = 0; i < 2; i++) {
    devices[i].node_type = u_me->iwarp ? IBV_NODE_RNIC : IBV_NODE_CA;
    devices[i].transport_type = u_me->iwarp ? IBV_TRANSPORT_IWARP : IBV_TRANSPORT_IB;
    snprintf(devices[i].name, sizeof devices[i].name, "%s0", u_me->name);
    snprintf(devices[i].dev_name, sizeof devices[i].dev_name, "uverbs0");
  }
}

struct ibv_device **ibv_get_device_list(int *count) {
  int error = u_enter(__func__);
  struct ibv_device **list = NULL;
  if (error == 0) {
    list = calloc(2, sizeof *list);
    list[0] = device;
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
    .fw_ver = "unruly", .node_guid = ibv_get_device_guid(device), .sys_image_guid = ibv_get_device_guid(device),
    .max_mr_size = 1ull << 40, .page_size_cap = 0xfffff000, .max_qp = 4096, .max_qp_wr = MAX_WR, .max_sge = u_me->max_sge,
    .max_sge_rd = u_me->iwarp ? 1 : u_me->max_sge, .max_cq = 4096, .max_cqe = u_me->max_cqe, .max_mr = 65000, .max_pd = 4096, .max_ah = 4096,
    .max_pkeys = u_me->iwarp ? 0 : PKEYS, .local_ca_ack_delay = 15, .phys_port_cnt = u_me->ports,
  };
  if (u_me->full) {
    attr->device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B | IBV_DEVICE_MEM_MGT_EXTENSIONS
        | (u_me->resizes ? IBV_DEVICE_SRQ_RESIZE : 0);
    attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = MAX_RD_ATOM;
    attr->max_res_rd_atom = MAX_RD_ATOM * 4096;
    attr->max_mw = 65000;
    attr->max_srq = 4096;
    attr->max_srq_wr = MAX_WR;
    attr->max_srq_sge = MAX_SGE;
  }
  if (u_me->full && !u_me->iwarp) {
    attr->atomic_cap = IBV_ATOMIC_HCA;
    attr->max_mcast_grp = MAX_GROUPS;
    attr->max_mcast_qp_attach = attr->max_total_mcast_qp_attach = MAX_ATTACHED;
  }
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
    if (u_has_odp()) {
      u_describe_odp(attr);
    }
  }
  return u_result(error);
}

static int unsupported(void) {
  return EOPNOTSUPP;
}

static void *unsupported_object(void) {
  errno = EOPNOTSUPP;
  return NULL;
}

static struct u_context *open_context(void) {
  struct u_context *made = u_new(sizeof *made);
  if (!u_events_open(&made->async)) {
    u_free(made, sizeof *made);
    return NULL;
  }
  made->verbs.sz = sizeof made->verbs;
  made->verbs.query_port = u_query_port;
  made->verbs.query_device_ex = query_device_ex;
  made->verbs.advise_mr = u_has_odp() ? u_advise_mr : (void *)unsupported;
  made->verbs.modify_cq = (void *)unsupported;
  made->verbs.query_rt_values = (void *)unsupported;
  made->verbs.create_cq_ex = (void *)unsupported_object;
  made->verbs.create_qp_ex = (void *)unsupported_object;
  struct ibv_context *context = &made->verbs.context;
  context->device = device;
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
  made->next = contexts;
  contexts = made;
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
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0) {
    struct u_context **place = &contexts;
    while (*place != u_context(context)) {
      place = &(*place)->next;
    }
    *place = (*place)->next;
    u_events_close(&u_context(context)->async);
    u_free(u_context(context), sizeof(struct u_context));
    u_count(LIVE_CONTEXT, -1);
  }
  return u_minus(error ? error : answer);
}

// The function of the C library, which the provider finds through libibverbs.
int getpagesize(void) {
  return u_me->page == 0 ? 4096 : (int)u_me->page;
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

void u_device_removed(void) {
  for (struct u_context *context = contexts; context != NULL; context = context->next) {
    u_async(&context->verbs.context, IBV_EVENT_DEVICE_FATAL, NULL);
  }
}

// A new device takes the place of the removed one. The context that librdmacm opens for it has the address of the former context.
void u_device_returned(void) {
  device = device == &devices[0] ? &devices[1] : &devices[0];
  if (of_cm != NULL) {
    u_events_close(&of_cm->async);
    u_events_open(&of_cm->async);
    fcntl(of_cm->async.fd, F_SETFL, O_NONBLOCK); // the reader of the former context may still poll a descriptor of this number
    of_cm->verbs.context.device = device;
    of_cm->verbs.context.async_fd = of_cm->async.fd;
  }
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
