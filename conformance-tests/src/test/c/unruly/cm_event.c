// SPDX-License-Identifier: Apache-2.0
// Event channels and events of ids, and the queue pairs of ids.
#include <unistd.h>
#include "cm.h"

struct rdma_event_channel *rdma_create_event_channel(void) {
  int error = u_enter(__func__);
  struct c_channel *made = NULL;
  if (error == 0 && u_me->bare) {
    error = ENODEV;
  }
  if (error == 0) {
    made = u_new(sizeof *made);
    u_events_open(&made->events);
    made->channel.fd = made->events.fd;
    u_count(LIVE_CM_CHANNEL, 1);
  }
  return u_pointer(made, error);
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel) {
  u_lock();
  u_events_close(&((struct c_channel *)channel)->events);
  u_free(channel, sizeof(struct c_channel));
  u_count(LIVE_CM_CHANNEL, -1);
  u_unlock();
}

// Queues an event with a copy of private data, which is padded with zeros to an area.
struct c_event *c_report(struct c_id *id, enum rdma_cm_event_type type, int status, const void *data, int length, int area) {
  struct c_event *event = calloc(1, sizeof *event);
  event->raw.id = &id->id;
  event->raw.event = type;
  event->raw.status = status;
  if (length > 0) {
    memcpy(event->data, data, u_fault(SHORT_DATA) ? length / 2 : length);
  }
  if (area > 0) {
    event->raw.param.conn.private_data = event->data;
    event->raw.param.conn.private_data_len = area;
  }
  u_events_add(&((struct c_channel *)id->id.channel)->events, &event->event, id);
  return event;
}

void c_drop_events(struct c_id *id) {
  struct c_channel *channel = (struct c_channel *)id->id.channel;
  for (struct u_event *event; (event = u_events_take(&channel->events, id)) != NULL;) {
    free(event);
  }
}

void c_device_removed(void) {
  for (struct c_id *id = c_ids; id != NULL; id = id->next) {
    if (id->id.verbs != NULL && id->listener == NULL) {
      c_report(id, RDMA_CM_EVENT_DEVICE_REMOVAL, 0, NULL, 0, 0);
    }
  }
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **to) {
  u_lock();
  struct u_event *event;
  int error = u_events_next(&((struct c_channel *)channel)->events, &event);
  if (error == 0) {
    struct c_event *found = (struct c_event *)event;
    struct c_id *id = (struct c_id *)found->raw.id;
    id->pending++;
    u_count(LIVE_CM_EVENT, 1);
    if (found->raw.event == RDMA_CM_EVENT_CONNECT_REQUEST) {
      found->raw.listen_id = &id->listener->id;
      id->listener->pending++;
      id->listener = NULL;
    } else if (found->raw.event == RDMA_CM_EVENT_CONNECT_RESPONSE) {
      c_reply_received(found);
    } else if (found->raw.event == RDMA_CM_EVENT_REJECTED) {
      c_modify(id, IBV_QPS_ERR);
    }
    *to = &found->raw;
  }
  return u_minus(error);
}

int rdma_ack_cm_event(struct rdma_cm_event *raw) {
  u_lock();
  ((struct c_id *)raw->id)->pending--;
  if (raw->listen_id != NULL) {
    ((struct c_id *)raw->listen_id)->pending--;
  }
  free((char *)raw - offsetof(struct c_event, raw));
  u_count(LIVE_CM_EVENT, -1);
  u_wake();
  return u_minus(0);
}

struct ibv_ah_attr c_path(const struct c_id *id) {
  union ibv_gid from, to;
  c_gid_of(&id->id.route.addr.src_addr, &from);
  c_gid_of(&id->id.route.addr.dst_addr, &to);
  const struct ibv_gid_entry *entry = u_gid_entry(&from), *peer = u_gid_entry(&to);
  struct ibv_ah_attr path = { .is_global = 1, .port_num = entry->port_num, .grh = { .dgid = to, .sgid_index = entry->gid_index,
    .hop_limit = 64, .traffic_class = id->tos } };
  if (u_me->infiniband) {
    path.grh.sgid_index = 0;
    path.grh.dgid = peer == NULL ? to : *u_gid(peer->port_num, 0);
    path.dlid = peer == NULL ? 0 : u_lid(peer->port_num);
  }
  return path;
}

// Returns the attributes of a transition of a queue pair of the id, as rdma_init_qp_attr does.
bool c_attributes(struct c_id *id, enum ibv_qp_state to, struct ibv_qp_attr *attr, int *mask) {
  memset(attr, 0, sizeof *attr);
  attr->qp_state = to;
  *mask = IBV_QP_STATE;
  bool datagram = c_is_datagram(id);
  switch (to) {
    case IBV_QPS_INIT:
      attr->port_num = id->id.port_num;
      attr->qkey = DATAGRAM_QKEY;
      attr->qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
      *mask |= IBV_QP_PKEY_INDEX | IBV_QP_PORT | (datagram ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS);
      return id->id.verbs != NULL;
    case IBV_QPS_RTR:
      if (!datagram) {
        attr->ah_attr = c_path(id);
        attr->path_mtu = IBV_MTU_1024;
        attr->dest_qp_num = id->remote_qpn;
        attr->rq_psn = id->remote_qpn;
        attr->max_dest_rd_atomic = id->depths.responder_resources;
        attr->min_rnr_timer = RNR_TIMER_OF_CM;
        *mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
      }
      return datagram || id->state >= REQUEST_RECEIVED;
    case IBV_QPS_RTS:
      attr->sq_psn = id->qpn;
      *mask |= IBV_QP_SQ_PSN;
      if (!datagram) {
        attr->timeout = id->timeout < 0 ? DEFAULT_TIMEOUT : id->timeout;
        attr->retry_cnt = id->depths.retry_count;
        attr->rnr_retry = id->rnr_of_peer;
        attr->max_rd_atomic = id->depths.initiator_depth;
        *mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
      }
      return datagram || id->state >= REQUEST_RECEIVED;
    default: return to == IBV_QPS_ERR;
  }
}

// Modifies the queue pair of the id, if there is one. Returns an errno.
int c_modify(struct c_id *id, enum ibv_qp_state to) {
  struct ibv_qp_attr attr;
  int mask;
  return id->id.qp == NULL ? 0 : !c_attributes(id, to, &attr, &mask) ? EINVAL : u_modify_qp(id->id.qp, &attr, mask);
}

int rdma_create_qp(struct rdma_cm_id *raw, struct ibv_pd *pd, struct ibv_qp_init_attr *initial) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0 && (raw->verbs == NULL || raw->qp != NULL || pd->context != raw->verbs)) {
    error = EINVAL;
  }
  if (error == 0) {
    raw->qp = u_create_qp(pd, initial, &error);
  }
  if (raw->qp != NULL && error == 0) {
    id->qpn = raw->qp->qp_num;
    error = c_modify(id, IBV_QPS_INIT);
    if (error == 0 && c_is_datagram(id)) {
      error = c_modify(id, IBV_QPS_RTR) ? EINVAL : c_modify(id, IBV_QPS_RTS);
    }
    if (error != 0) {
      u_destroy_qp(raw->qp);
      raw->qp = NULL;
    }
  }
  return u_minus(error);
}

int rdma_create_qp_ex(struct rdma_cm_id *id, struct ibv_qp_init_attr_ex *initial) {
  (void)id, (void)initial;
  int error = u_enter(__func__);
  return u_minus(error ? error : EOPNOTSUPP);
}

void rdma_destroy_qp(struct rdma_cm_id *id) {
  u_lock();
  if (id->qp != NULL && u_destroy_qp(id->qp) == 0) {
    id->qp = NULL;
  }
  u_unlock();
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask) {
  int error = u_enter(__func__);
  if (error == 0 && !c_attributes((struct c_id *)id, attr->qp_state, attr, mask)) {
    error = EINVAL;
  }
  return u_minus(error);
}
