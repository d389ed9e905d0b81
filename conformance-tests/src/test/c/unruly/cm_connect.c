// SPDX-License-Identifier: Apache-2.0
// Requests, replies, rejections and the end of connections: IBTA volume 1, chapter 12; Linux drivers/infiniband/core/cma.c.
#include "cm.h"

static uint16_t port(const struct sockaddr_storage *address) {
  return ((struct sockaddr_in *)address)->sin_port;
}

static struct c_id *listener_of(const struct c_id *id) {
  union ibv_gid wanted, own;
  c_gid_of(&id->id.route.addr.dst_addr, &wanted);
  for (struct c_id *other = c_ids; other != NULL; other = other->next) {
    bool same = other->state == LISTENING && other->id.ps == id->id.ps
        && port(&other->id.route.addr.src_storage) == port(&id->id.route.addr.dst_storage);
    c_gid_of(&other->id.route.addr.src_addr, &own);
    if (same && (other->id.verbs == NULL || memcmp(&wanted, &own, sizeof own) == 0)) {
      return other;
    }
  }
  return NULL;
}

static int waiting_at(const struct c_id *listener) {
  int count = 0;
  for (struct c_id *id = c_ids; id != NULL; id = id->next) {
    count += id->listener == listener;
  }
  return count;
}

static uint8_t least(uint8_t a, uint8_t b) {
  return a < b ? a : b;
}

static int check_depths(struct rdma_conn_param *param) {
  param->responder_resources = param->responder_resources == RDMA_MAX_RESP_RES ? MAX_RD_ATOM : param->responder_resources;
  param->initiator_depth = param->initiator_depth == RDMA_MAX_INIT_DEPTH ? MAX_RD_ATOM : param->initiator_depth;
  return param->responder_resources > MAX_RD_ATOM || param->initiator_depth > MAX_RD_ATOM ? EINVAL : 0;
}

// MPA adds no padding to private data.
static int area_of(const struct rdma_conn_param *param, int area) {
  return u_me->iwarp ? param->private_data_len : area;
}

static void request(struct c_id *id, struct c_id *listener, const struct rdma_conn_param *param) {
  struct c_id *made = c_new_id(listener->id.channel, listener->id.context, id->id.ps);
  made->id.verbs = id->id.verbs;
  made->id.route.addr.src_storage = id->id.route.addr.dst_storage;
  made->id.route.addr.dst_storage = id->id.route.addr.src_storage;
  made->id.port_num = c_path(made).port_num;
  made->state = REQUEST_RECEIVED;
  made->listener = listener;
  made->tos = id->tos;
  made->remote_qpn = id->qpn;
  made->rnr_of_peer = param->rnr_retry_count;
  made->depths = (struct rdma_conn_param){ .retry_count = param->retry_count, .responder_resources = param->initiator_depth,
    .initiator_depth = param->responder_resources };
  made->peer = id;
  id->peer = made;
  struct c_event *event = c_report(made, RDMA_CM_EVENT_CONNECT_REQUEST, 0, param->private_data, param->private_data_len,
      area_of(param, c_is_datagram(id) ? SIDR_REQUEST_DATA : REQUEST_DATA));
  bool exchanged = u_fault(DEPTHS_EXCHANGED);
  event->raw.param.conn.responder_resources = exchanged ? param->responder_resources : param->initiator_depth;
  event->raw.param.conn.initiator_depth = exchanged ? param->initiator_depth : param->responder_resources;
  if (u_me->iwarp) {
    return;
  }
  event->raw.param.conn.flow_control = param->flow_control;
  event->raw.param.conn.retry_count = param->retry_count;
  event->raw.param.conn.rnr_retry_count = param->rnr_retry_count;
  event->raw.param.conn.srq = param->srq;
  event->raw.param.conn.qp_num = id->qpn;
}

int rdma_connect(struct rdma_cm_id *raw, struct rdma_conn_param *given) {
  struct c_id *id = (struct c_id *)raw;
  struct rdma_conn_param param = *given;
  int error = u_enter(__func__);
  int area = c_is_datagram(id) ? SIDR_REQUEST_DATA : REQUEST_DATA;
  if (error == 0 && (id->state != ROUTE_RESOLVED || param.private_data_len > area || check_depths(&param) != 0)) {
    error = EINVAL;
  }
  if (error == 0) {
    id->qpn = raw->qp == NULL ? param.qp_num : raw->qp->qp_num;
    struct c_id *listener = listener_of(id);
    if (u_me->iwarp && (u_find(id->qpn) == NULL || listener == NULL)) {
      return u_minus(listener == NULL ? ECONNREFUSED : EINVAL); // siw_connect opens the TCP connection within the call
    }
    id->depths = param;
    id->state = REQUEST_SENT;
    if (listener != NULL && waiting_at(listener) < listener->backlog) {
      request(id, listener, &param);
    } else if (c_is_datagram(id)) {
      c_report(id, RDMA_CM_EVENT_UNREACHABLE, listener ? -ETIMEDOUT : SIDR_NO_SERVICE, NULL, 0, 0);
    } else {
      c_report(id, listener ? RDMA_CM_EVENT_UNREACHABLE : RDMA_CM_EVENT_REJECTED, listener ? -ETIMEDOUT : REJECTED_NO_SERVICE,
          NULL, 0, REJECT_DATA);
    }
  }
  return u_minus(error);
}

static void reply_to_datagram(struct c_id *id, const struct rdma_conn_param *param) {
  struct c_event *event = c_report(id->peer, RDMA_CM_EVENT_ESTABLISHED, 0, param->private_data, param->private_data_len,
      SIDR_REPLY_DATA);
  event->raw.param.ud.ah_attr = c_path(id->peer);
  event->raw.param.ud.qp_num = id->qpn;
  event->raw.param.ud.qkey = DATAGRAM_QKEY;
  id->peer->state = id->state = ESTABLISHED;
}

// Accepts a connection of iWARP. The kernel and not librdmacm brings both queue pairs to RTS.
static int accept_iwarp(struct c_id *id, const struct rdma_conn_param *param) {
  struct c_id *peer = id->peer;
  struct u_qp *active = peer == NULL ? NULL : u_find(peer->qpn), *passive = u_find(id->qpn);
  if (active == NULL || passive == NULL) {
    return peer == NULL ? ECONNRESET : EINVAL;
  }
  i_connect(active, passive);
  peer->state = id->state = ESTABLISHED;
  struct c_event *event = c_report(peer, RDMA_CM_EVENT_ESTABLISHED, 0, param->private_data, param->private_data_len,
      param->private_data_len);
  event->raw.param.conn.responder_resources = param->initiator_depth;
  event->raw.param.conn.initiator_depth = param->responder_resources;
  c_report(id, RDMA_CM_EVENT_ESTABLISHED, 0, NULL, 0, 0);
  return 0;
}

int rdma_accept(struct rdma_cm_id *raw, struct rdma_conn_param *given) {
  struct c_id *id = (struct c_id *)raw;
  struct rdma_conn_param param = *given;
  int error = u_enter(__func__);
  int area = c_is_datagram(id) ? SIDR_REPLY_DATA : REPLY_DATA;
  if (error == 0 && (id->state != REQUEST_RECEIVED || param.private_data_len > area || check_depths(&param) != 0)) {
    error = EINVAL;
  }
  if (error == 0) {
    struct c_id *peer = id->peer;
    id->qpn = raw->qp == NULL ? param.qp_num : raw->qp->qp_num;
    if (u_me->iwarp) {
      return u_minus(accept_iwarp(id, &param));
    }
    id->depths.responder_resources = least(id->depths.responder_resources, param.responder_resources);
    id->depths.initiator_depth = least(id->depths.initiator_depth, param.initiator_depth);
    if (!c_is_datagram(id)) {
      error = c_modify(id, IBV_QPS_RTR);
      error = error ? error : c_modify(id, IBV_QPS_RTS);
    }
    if (error == 0 && peer != NULL && c_is_datagram(id)) {
      reply_to_datagram(id, &param);
    } else if (error == 0) {
      id->state = REPLY_SENT;
    }
    if (error == 0 && peer != NULL && !c_is_datagram(id)) {
      peer->remote_qpn = id->qpn;
      peer->rnr_of_peer = param.rnr_retry_count;
      peer->depths.responder_resources = id->depths.initiator_depth;
      peer->depths.initiator_depth = id->depths.responder_resources;
      peer->state = REPLY_RECEIVED;
      struct c_event *event = c_report(peer, RDMA_CM_EVENT_CONNECT_RESPONSE, 0, param.private_data, param.private_data_len, REPLY_DATA);
      event->raw.param.conn.responder_resources = peer->depths.responder_resources;
      event->raw.param.conn.initiator_depth = peer->depths.initiator_depth;
      event->raw.param.conn.flow_control = param.flow_control;
      event->raw.param.conn.rnr_retry_count = param.rnr_retry_count;
      event->raw.param.conn.srq = param.srq;
      event->raw.param.conn.qp_num = id->qpn;
    }
  }
  return u_minus(error);
}

static void established(struct c_id *id) {
  id->state = ESTABLISHED;
  if (id->peer != NULL && id->peer->state == REPLY_SENT) {
    id->peer->state = ESTABLISHED;
    c_report(id->peer, RDMA_CM_EVENT_ESTABLISHED, 0, NULL, 0, 0);
  }
}

// What librdmacm does when it reads a reply: an id with a queue pair completes the connection (ucma_process_conn_resp).
int c_reply_received(struct c_event *event) {
  struct c_id *id = (struct c_id *)event->raw.id;
  if (id->id.qp == NULL) {
    return 0;
  }
  int error = id->state != REPLY_RECEIVED ? EINVAL : c_modify(id, IBV_QPS_RTR);
  error = error ? error : c_modify(id, IBV_QPS_RTS);
  event->raw.event = error ? RDMA_CM_EVENT_CONNECT_ERROR : RDMA_CM_EVENT_ESTABLISHED;
  event->raw.status = -error;
  if (error == 0) {
    established(id);
  }
  return error;
}

int rdma_establish(struct rdma_cm_id *raw) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0 && (raw->qp != NULL || id->state != REPLY_RECEIVED)) {
    error = EINVAL;
  }
  if (error == 0) {
    established(id);
  }
  return u_minus(error);
}

int rdma_notify(struct rdma_cm_id *raw, enum ibv_event_type type) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0) {
    error = type != IBV_EVENT_COMM_EST ? EINVAL : id->state == ESTABLISHED ? EISCONN : id->state == REPLY_SENT ? 0 : EINVAL;
  }
  if (error == 0) {
    id->state = ESTABLISHED;
    c_report(id, RDMA_CM_EVENT_ESTABLISHED, 0, NULL, 0, 0);
  }
  return u_minus(error);
}

// Ends a request that was not answered.
static void reject(struct c_id *id, int reason, const void *data, int length) {
  struct c_id *peer = id->peer;
  id->state = ENDED;
  if (peer != NULL) {
    peer->peer = id->peer = NULL;
    peer->state = ENDED;
    if (c_is_datagram(id)) {
      c_report(peer, RDMA_CM_EVENT_UNREACHABLE, SIDR_REJECTED, NULL, 0, 0);
    } else {
      int status = u_fault(REJECT_STATUS) ? 0 : u_me->iwarp ? -ECONNRESET : reason;
      c_report(peer, RDMA_CM_EVENT_REJECTED, status, data, length, u_me->iwarp ? length : REJECT_DATA);
    }
  }
}

int rdma_reject(struct rdma_cm_id *raw, const void *data, uint8_t length) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0 && (id->state != REQUEST_RECEIVED || length > REJECT_DATA)) {
    error = EINVAL;
  }
  if (error == 0) {
    c_modify(id, IBV_QPS_ERR);
    reject(id, REJECTED_BY_CONSUMER, data, length);
  }
  return u_minus(error);
}

static void tell(struct c_id *id) {
  if (!id->told || u_fault(DISCONNECTED_TWICE)) {
    id->told = true;
    c_report(id, RDMA_CM_EVENT_DISCONNECTED, 0, NULL, 0, 0);
  }
}

// Reports the end of a queue pair's connection of iWARP.
void c_connection_ended(struct u_qp *qp) {
  for (struct c_id *id = c_ids; id != NULL; id = id->next) {
    if (id->qpn == qp->qp.qp_num && id->state == ESTABLISHED) {
      id->state = DISCONNECTED;
      tell(id);
    }
  }
}

// Sends a DREQ, or the DREP to the peer's DREQ. Each side gets DISCONNECTED once.
void c_disconnect(struct c_id *id) {
  struct c_id *peer = id->peer;
  bool first = id->state == ESTABLISHED || id->state == REPLY_SENT || id->state == REPLY_RECEIVED;
  if (peer == NULL || !first) {
    return;
  }
  id->state = DISCONNECTED;
  for (int times = u_fault(NO_DISCONNECT) ? 0 : u_fault(DISCONNECTED_TWICE) ? 2 : 1; times > 0; times--) {
    tell(peer);
  }
}

int rdma_disconnect(struct rdma_cm_id *raw) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0 && id->state < REQUEST_SENT) {
    error = EINVAL;
  }
  if (error == 0) {
    c_modify(id, IBV_QPS_ERR);
    c_disconnect(id);
  }
  return u_minus(error);
}

// Ends what an id that is destroyed takes part in.
void c_end(struct c_id *id) {
  struct c_id *peer = id->peer;
  if (id->state == REQUEST_RECEIVED) {
    reject(id, REJECTED_BY_CONSUMER, NULL, 0);
  } else if (peer != NULL && !c_is_datagram(id)) {
    c_disconnect(id);
  }
  if (peer != NULL) {
    peer->peer = NULL;
    id->peer = NULL;
  }
}

int rdma_set_local_ece(struct rdma_cm_id *id, struct ibv_ece *ece) {
  (void)id, (void)ece;
  int error = u_enter(__func__);
  return u_minus(error ? error : EOPNOTSUPP);
}

int rdma_get_remote_ece(struct rdma_cm_id *id, struct ibv_ece *ece) {
  (void)id, (void)ece;
  int error = u_enter(__func__);
  return u_minus(error ? error : EOPNOTSUPP);
}
