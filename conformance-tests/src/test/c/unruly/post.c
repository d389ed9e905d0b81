// SPDX-License-Identifier: Apache-2.0
// Posts: the checks of a request, and the copy of it in the send queue.
#include "unruly.h"

static bool is_atomic(enum ibv_wr_opcode opcode) {
  return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static bool serves(enum ibv_qp_type type, enum ibv_wr_opcode opcode) {
  if (u_me->iwarp && (is_atomic(opcode) || opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE_WITH_IMM)) {
    return false;
  }
  switch (opcode) {
    case IBV_WR_SEND:
    case IBV_WR_SEND_WITH_IMM: return true;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_SEND_WITH_INV:
    case IBV_WR_LOCAL_INV:
    case IBV_WR_BIND_MW: return type != IBV_QPT_UD;
    case IBV_WR_RDMA_READ:
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD: return type == IBV_QPT_RC;
    default: return false;
  }
}

static int check(struct u_qp *qp, const struct ibv_send_wr *wr) {
  const struct ibv_qp_cap *cap = &qp->initial.cap;
  uint64_t length = 0;
  if (!serves(qp->qp.qp_type, wr->opcode) || wr->num_sge < 0 || (unsigned)wr->num_sge > cap->max_send_sge) {
    return EINVAL;
  }
  for (int i = 0; i < wr->num_sge; i++) {
    length += wr->sg_list[i].length;
  }
  bool payload = wr->opcode != IBV_WR_RDMA_READ && !is_atomic(wr->opcode) && wr->opcode != IBV_WR_LOCAL_INV
      && wr->opcode != IBV_WR_BIND_MW;
  bool inlined = wr->send_flags & IBV_SEND_INLINE;
  bool bad = (inlined && (!payload || length > cap->max_inline_data)) || (is_atomic(wr->opcode) && length != 8)
      || (u_me->iwarp && wr->opcode == IBV_WR_RDMA_READ && wr->num_sge > 1)
      || length > MAX_MESSAGE || (qp->qp.qp_type == IBV_QPT_UD && wr->wr.ud.ah == NULL);
  if (!bad && u_fault(OVERFULL_QUEUE)) {
    return qp->tail - qp->head == cap->max_send_wr ? EINVAL : 0;
  }
  return bad ? EINVAL : qp->tail - qp->freed == cap->max_send_wr ? ENOMEM : 0;
}

static void store(struct u_qp *qp, const struct ibv_send_wr *wr) {
  struct u_send *send = &qp->sends[qp->tail % qp->initial.cap.max_send_wr];
  send->wr = *wr;
  send->tried = false;
  send->inlined_bytes = 0;
  if (wr->send_flags & IBV_SEND_INLINE) {
    for (int i = 0; i < wr->num_sge; i++) {
      memcpy(send->inlined + send->inlined_bytes, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
      send->inlined_bytes += wr->sg_list[i].length;
    }
  } else if (wr->num_sge > 0) {
    memcpy(send->entries, wr->sg_list, wr->num_sge * sizeof *wr->sg_list);
  }
  if (wr->opcode == IBV_WR_BIND_MW && wr->bind_mw.bind_info.length > 0) {
    send->region_key = wr->bind_mw.bind_info.mr->rkey;
  }
  if (qp->qp.qp_type == IBV_QPT_UD) {
    send->path = u_path_of(wr->wr.ud.ah);
  }
  qp->tail++;
}

static bool accepts_sends(enum ibv_qp_state state) {
  return state == IBV_QPS_RTS || state == IBV_QPS_SQD || state == IBV_QPS_SQE || state == IBV_QPS_ERR;
}

static void posted(struct u_qp *qp) {
  if (qp->qp.state == IBV_QPS_ERR || qp->qp.state == IBV_QPS_SQE) {
    u_flush_sends(qp);
  } else {
    u_run(qp);
  }
}

int u_post_send(struct ibv_qp *raw, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  struct u_qp *qp = (struct u_qp *)raw;
  int error = u_enter("ibv_post_send");
  if (error == 0 && !accepts_sends(raw->state)) {
    error = EINVAL;
  }
  int cut = 0;
  while (error == 0 && wr != NULL && (cut = check(qp, wr)) == 0) {
    store(qp, wr);
    wr = wr->next;
  }
  if (wr != NULL) {
    *bad = wr;
  }
  posted(qp);
  return u_result(error != 0 || u_me->iwarp ? error : cut); // siw_post_send answers with the result of the doorbell
}

int u_post_recv(struct ibv_qp *raw, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct u_qp *qp = (struct u_qp *)raw;
  int error = u_enter("ibv_post_recv");
  if (error == 0 && (raw->state == IBV_QPS_RESET || raw->srq != NULL)) {
    error = EINVAL;
  }
  if (error != 0) {
    *bad = wr;
    return u_result(error);
  }
  error = u_post_receives(&qp->receives, qp->initial.cap.max_recv_sge, wr, bad);
  if (raw->state == IBV_QPS_ERR) {
    u_to_error(qp);
  }
  return u_result(error);
}

// Binds a window of type 1 by a request in the send queue.
int u_bind_mw(struct ibv_qp *raw, struct ibv_mw *mw, struct ibv_mw_bind *bind) {
  struct u_qp *qp = (struct u_qp *)raw;
  struct u_mw *window = (struct u_mw *)mw;
  uint32_t rkey = (mw->rkey & ~0xffu) | ((mw->rkey + 1) & 0xff);
  struct ibv_send_wr wr = { .wr_id = bind->wr_id, .opcode = IBV_WR_BIND_MW, .send_flags = bind->send_flags,
    .bind_mw = { .mw = mw, .rkey = rkey, .bind_info = bind->bind_info } };
  int error = u_enter("ibv_bind_mw");
  if (error == 0) {
    error = accepts_sends(raw->state) && mw->type == IBV_MW_TYPE_1 ? check(qp, &wr) : EINVAL;
  }
  const struct u_mr *region = (struct u_mr *)bind->bind_info.mr;
  if (error == 0 && bind->bind_info.length > 0 && !(region->grant.access & IBV_ACCESS_MW_BIND)) {
    error = EINVAL;
  }
  if (error == 0) {
    window->mw.rkey = rkey;
    store(qp, &wr);
    posted(qp);
  }
  return u_result(error);
}
