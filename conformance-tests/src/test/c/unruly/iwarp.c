// SPDX-License-Identifier: Apache-2.0
// Connections of iWARP: RFC 5040 (RDMAP), RFC 5041 (DDP), RFC 5044 (MPA); Linux drivers/infiniband/sw/siw. A SEND or WRITE completes when
// TCP has it. An error at either side ends the connection at both sides.
#include "unruly.h"

static struct u_qp *peer_of(const struct u_qp *qp) {
  return qp->attr.dest_qp_num == 0 ? NULL : u_find(qp->attr.dest_qp_num);
}

// Connects two queue pairs. RFC 5044, 7.1.2: the passive side sends nothing before it has received a message.
void i_connect(struct u_qp *active, struct u_qp *passive) {
  active->attr.dest_qp_num = passive->qp.qp_num;
  passive->attr.dest_qp_num = active->qp.qp_num;
  active->qp.state = passive->qp.state = IBV_QPS_RTS;
  passive->silent = true;
}

// Ends the connection of a queue pair, which is in ERR or about to be destroyed.
void i_end(struct u_qp *qp) {
  struct u_qp *peer = peer_of(qp);
  qp->attr.dest_qp_num = 0;
  if (peer != NULL) {
    peer->attr.dest_qp_num = 0;
    c_connection_ended(qp);
    c_connection_ended(peer);
    u_to_error(peer);
  }
}

// The peer of a queue pair refuses a message and sends a TERMINATE.
static void terminate(struct u_qp *peer, enum ibv_event_type reason) {
  u_async(peer->qp.context, reason, peer);
  u_to_error(peer);
}

static void receive(struct u_qp *peer, const struct u_send *send, const char *bytes, uint64_t length) {
  struct u_receive into;
  bool invalidates = send->wr.opcode == IBV_WR_SEND_WITH_INV;
  struct ibv_wc wc = { .opcode = IBV_WC_RECV, .byte_len = length };
  if (!u_take_receive(peer, &into, true) || (invalidates && !u_can_invalidate(peer, send->wr.invalidate_rkey))) {
    terminate(peer, IBV_EVENT_QP_REQ_ERR);
    return;
  }
  if (length > u_room(&into)) {
    wc.status = IBV_WC_LOC_LEN_ERR;
  } else if (!u_scatter(peer, &into, bytes, length)) {
    wc.status = IBV_WC_LOC_PROT_ERR;
  } else if (invalidates) {
    u_invalidate(peer, send->wr.invalidate_rkey);
    wc.wc_flags = IBV_WC_WITH_INV;
    wc.invalidated_rkey = send->wr.invalidate_rkey;
  }
  u_receive_done(peer, &into, wc, send->wr.send_flags & IBV_SEND_SOLICITED);
  if (wc.status != IBV_WC_SUCCESS) {
    u_to_error(peer);
  }
}

static void write_to(struct u_qp *peer, const struct u_send *send, const char *bytes, uint64_t length) {
  const int right = IBV_ACCESS_REMOTE_WRITE;
  char *to = length == 0 ? NULL : u_remote(peer, send->wr.wr.rdma.rkey, send->wr.wr.rdma.remote_addr, length, right);
  if (to != NULL) {
    memcpy(to, bytes, length);
  } else if (length > 0) {
    terminate(peer, IBV_EVENT_QP_ACCESS_ERR);
  }
}

// Reads. The sink is memory that the response writes by its key, so it needs the right of remote writes (RFC 5040, 5.2.1; Linux
// drivers/infiniband/core/rw.c, rdma_rw_init_mr). The status without it is that of rdma-core providers/cxgb4/cq.c.
static void read_from(struct u_qp *qp, struct u_qp *peer, struct u_send *send) {
  const struct ibv_sge *sink = send->entries;
  uint64_t length = send->wr.num_sge == 0 ? 0 : sink->length;
  const int rights = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
  char *to = length == 0 ? NULL : u_local(qp->qp.pd, sink, rights);
  char *from = length == 0 ? NULL
      : u_remote(peer, send->wr.wr.rdma.rkey, send->wr.wr.rdma.remote_addr, length, IBV_ACCESS_REMOTE_READ);
  if (length > 0 && to == NULL) {
    u_send_done(qp, send, IBV_WC_LOC_ACCESS_ERR, 0);
    u_to_error(qp);
  } else if (length > 0 && from == NULL) {
    terminate(peer, IBV_EVENT_QP_ACCESS_ERR); // flushes the request
  } else {
    if (length > 0) {
      memmove(to, from, length);
    }
    u_send_done(qp, send, IBV_WC_SUCCESS, length);
  }
}

static bool is_local(struct u_qp *qp, struct u_send *send) {
  bool binds = send->wr.opcode == IBV_WR_BIND_MW;
  if (!binds && send->wr.opcode != IBV_WR_LOCAL_INV) {
    return false;
  }
  bool done = binds ? u_bind(qp, &send->wr, send->region_key) == 0 : u_invalidate(qp, send->wr.invalidate_rkey);
  u_send_done(qp, send, done ? IBV_WC_SUCCESS : binds ? IBV_WC_MW_BIND_ERR : IBV_WC_LOC_QP_OP_ERR, 0);
  if (!done) {
    u_to_error(qp);
  }
  return true;
}

// Executes and completes the next request of a queue pair. Returns false if it has to wait for the first message of the peer.
bool i_execute(struct u_qp *qp, struct u_send *send) {
  struct u_qp *peer = peer_of(qp);
  if (is_local(qp, send)) {
    return true;
  }
  if (qp->silent) {
    return false;
  }
  if (send->wr.opcode == IBV_WR_RDMA_READ) {
    read_from(qp, peer, send);
  } else {
    char *bytes = NULL;
    uint64_t length = 0;
    int status = u_gather(qp, send, &bytes, &length);
    u_send_done(qp, send, status, length);
    if (status != IBV_WC_SUCCESS) {
      u_to_error(qp);
      return true;
    }
    if (send->wr.opcode == IBV_WR_RDMA_WRITE) {
      write_to(peer, send, bytes, length);
    } else {
      receive(peer, send, bytes, length);
    }
    free(bytes);
  }
  if (peer->silent) {
    peer->silent = false;
    u_run(peer);
  }
  return true;
}

// Changes the state as siw_qp_modify does: RTS is for connection management alone, and nothing leaves ERR.
int i_modify(struct u_qp *qp, const struct ibv_qp_attr *attr, int mask) {
  enum ibv_qp_state to = mask & IBV_QP_STATE ? attr->qp_state : qp->qp.state;
  if (to == IBV_QPS_RTS || to > IBV_QPS_ERR) {
    return EINVAL;
  }
  if (to == IBV_QPS_SQD || to == IBV_QPS_ERR) {
    u_to_error(qp);
  } else if (qp->qp.state != IBV_QPS_ERR && qp->attr.dest_qp_num == 0) {
    qp->qp.state = to;
  }
  return 0;
}
