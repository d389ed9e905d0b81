// SPDX-License-Identifier: Apache-2.0
// Queue pairs: creation, states, errors.
#include "unruly.h"

struct u_qp *u_qps;
static uint32_t last_number = 16;

struct u_qp *u_find(uint32_t number) {
  struct u_qp *qp = u_qps;
  while (qp != NULL && qp->qp.qp_num != number) {
    qp = qp->next;
  }
  return qp;
}

struct ibv_qp *u_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *initial, int *error) {
  struct ibv_qp_cap *cap = &initial->cap;
  bool type = initial->qp_type < 32 && (u_me->types >> initial->qp_type & 1);
  if (!type || initial->send_cq == NULL || initial->recv_cq == NULL || !u_grant(cap)) {
    *error = type ? EINVAL : EOPNOTSUPP;
    return NULL;
  }
  struct u_qp *made = u_new(sizeof *made);
  made->initial = *initial;
  made->qp = (struct ibv_qp){ .context = pd->context, .qp_context = initial->qp_context, .pd = pd, .send_cq = initial->send_cq,
    .recv_cq = initial->recv_cq, .srq = initial->srq, .qp_num = ++last_number, .state = IBV_QPS_RESET, .qp_type = initial->qp_type };
  made->sends = calloc(cap->max_send_wr + 1, sizeof *made->sends);
  for (unsigned i = 0; i < cap->max_send_wr; i++) {
    made->sends[i].entries = calloc(cap->max_send_sge + 1, sizeof(struct ibv_sge));
    made->sends[i].inlined = calloc(1, cap->max_inline_data + 1);
  }
  made->receives.depth = cap->max_recv_wr;
  made->receives.ring = calloc(cap->max_recv_wr + 1, sizeof *made->receives.ring);
  made->next = u_qps;
  u_qps = made;
  ((struct u_pd *)pd)->users++;
  ((struct u_cq *)made->qp.send_cq)->users++;
  ((struct u_cq *)made->qp.recv_cq)->users++;
  if (made->qp.srq != NULL) {
    ((struct u_srq *)made->qp.srq)->users++;
  }
  u_count(LIVE_QP, 1);
  return &made->qp;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *initial) {
  int error = u_enter(__func__);
  struct ibv_qp *made = error ? NULL : u_create_qp(pd, initial, &error);
  return u_pointer(made, error);
}

int u_destroy_qp(struct ibv_qp *raw) {
  struct u_qp *qp = (struct u_qp *)raw;
  if (qp->attached > 0) {
    return EBUSY;
  }
  if (u_me->iwarp) {
    i_end(qp);
  }
  struct u_qp **place = &u_qps;
  while (*place != qp) {
    place = &(*place)->next;
  }
  *place = qp->next;
  u_clean(raw->send_cq, qp);
  u_clean(raw->recv_cq, qp);
  u_forget_windows(qp);
  u_forget_memberships(qp);
  while (!u_acknowledged(raw->context, qp, &raw->events_completed, qp->async)) {
    u_wait();
  }
  ((struct u_pd *)raw->pd)->users--;
  ((struct u_cq *)raw->send_cq)->users--;
  ((struct u_cq *)raw->recv_cq)->users--;
  if (raw->srq != NULL) {
    ((struct u_srq *)raw->srq)->users--;
  }
  for (unsigned i = 0; i < qp->initial.cap.max_send_wr; i++) {
    free(qp->sends[i].entries);
    free(qp->sends[i].inlined);
  }
  free(qp->sends);
  free(qp->receives.ring);
  u_free(qp, sizeof *qp);
  u_count(LIVE_QP, -1);
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp) {
  int answer, error = u_destroying(__func__, &answer);
  error = error ? error : u_destroy_qp(qp);
  return u_result(error ? error : answer);
}

// Completes a receive that was taken from its queue.
void u_receive_done(struct u_qp *qp, const struct u_receive *receive, struct ibv_wc wc, bool solicited) {
  wc.wr_id = receive->id;
  wc.qp_num = qp->qp.qp_num;
  u_complete(qp->qp.recv_cq, &(struct u_cqe){ .wc = wc, .qp = qp }, solicited);
}

void u_flush_sends(struct u_qp *qp) {
  while (qp->head != qp->tail) {
    struct u_send *send = &qp->sends[qp->head % qp->initial.cap.max_send_wr];
    u_send_done(qp, send, IBV_WC_WR_FLUSH_ERR, 0);
  }
  qp->deadline = 0;
}

static void flush(struct u_qp *qp) {
  u_flush_sends(qp);
  if (u_fault(NO_FLUSH)) {
    return;
  }
  struct u_receive receive;
  while ((qp->qp.srq == NULL || u_fault(FLUSHED_SRQ)) && u_take_receive(qp, &receive, true)) {
    u_receive_done(qp, &receive, (struct ibv_wc){ .status = IBV_WC_WR_FLUSH_ERR, .opcode = IBV_WC_RECV }, false);
  }
}

// Moves a queue pair to ERR and flushes its queues.
void u_to_error(struct u_qp *qp) {
  bool first = qp->qp.state != IBV_QPS_ERR;
  qp->qp.state = IBV_QPS_ERR;
  flush(qp);
  if (first && qp->qp.srq != NULL) {
    u_async(qp->qp.context, IBV_EVENT_QP_LAST_WQE_REACHED, qp);
  }
  if (first && u_me->iwarp) {
    i_end(qp);
  }
}

static void reset(struct u_qp *qp) {
  if (!u_fault(KEPT_COMPLETIONS)) {
    u_clean(qp->qp.send_cq, qp);
    u_clean(qp->qp.recv_cq, qp);
  }
  qp->head = qp->tail = qp->freed = 0;
  qp->receives.head = qp->receives.tail = 0;
  qp->deadline = 0;
  qp->communicated = qp->draining = false;
  memset(&qp->attr, 0, sizeof qp->attr);
}

static bool in_range(const struct ibv_qp_attr *attr, int mask) {
  return (!(mask & IBV_QP_PORT) || (attr->port_num >= 1 && attr->port_num <= u_me->ports)) && (!(mask & IBV_QP_PKEY_INDEX) || attr->pkey_index < PKEYS)
      && (!(mask & IBV_QP_AV) || u_path_is_good(&attr->ah_attr))
      && (!(mask & IBV_QP_PATH_MTU) || (attr->path_mtu >= IBV_MTU_256 && attr->path_mtu <= IBV_MTU_1024))
      && (!(mask & IBV_QP_MAX_DEST_RD_ATOMIC) || attr->max_dest_rd_atomic <= MAX_RD_ATOM)
      && (!(mask & IBV_QP_MAX_QP_RD_ATOMIC) || attr->max_rd_atomic <= MAX_RD_ATOM)
      && (!(mask & IBV_QP_TIMEOUT) || attr->timeout < 32) && (!(mask & IBV_QP_MIN_RNR_TIMER) || attr->min_rnr_timer < 32)
      && (!(mask & IBV_QP_RETRY_CNT) || attr->retry_cnt < 8) && (!(mask & IBV_QP_RNR_RETRY) || attr->rnr_retry < 8);
}

static void copy(struct ibv_qp_attr *to, const struct ibv_qp_attr *from, int mask) {
#define COPY(flag, member) if (mask & flag) to->member = from->member
  COPY(IBV_QP_PORT, port_num);
  COPY(IBV_QP_PKEY_INDEX, pkey_index);
  COPY(IBV_QP_QKEY, qkey);
  COPY(IBV_QP_ACCESS_FLAGS, qp_access_flags);
  COPY(IBV_QP_AV, ah_attr);
  COPY(IBV_QP_PATH_MTU, path_mtu);
  COPY(IBV_QP_DEST_QPN, dest_qp_num);
  COPY(IBV_QP_RQ_PSN, rq_psn);
  COPY(IBV_QP_SQ_PSN, sq_psn);
  COPY(IBV_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
  COPY(IBV_QP_MAX_QP_RD_ATOMIC, max_rd_atomic);
  COPY(IBV_QP_MIN_RNR_TIMER, min_rnr_timer);
  COPY(IBV_QP_TIMEOUT, timeout);
  COPY(IBV_QP_RETRY_CNT, retry_cnt);
  COPY(IBV_QP_RNR_RETRY, rnr_retry);
#undef COPY
}

int u_modify_qp(struct ibv_qp *raw, struct ibv_qp_attr *attr, int mask) {
  struct u_qp *qp = (struct u_qp *)raw;
  if (u_me->iwarp) {
    return i_modify(qp, attr, mask);
  }
  enum ibv_qp_state to = mask & IBV_QP_STATE ? attr->qp_state : raw->state;
  bool current = !(mask & IBV_QP_CUR_STATE) || attr->cur_qp_state == raw->state;
  if (!current || !u_transition(raw->qp_type, raw->state, to, mask) || !in_range(attr, mask)) {
    return EINVAL;
  }
  if (to == IBV_QPS_RESET) {
    reset(qp);
  }
  copy(&qp->attr, attr, u_fault(RIGHTS_STAY) && raw->state == IBV_QPS_RTS ? mask & ~IBV_QP_ACCESS_FLAGS : mask);
  if (to == IBV_QPS_ERR) {
    u_to_error(qp);
    return 0;
  }
  if (to == IBV_QPS_SQD && raw->state == IBV_QPS_RTS) {
    qp->drain_until = qp->tail;
    qp->draining = (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY) && attr->en_sqd_async_notify;
  }
  raw->state = to;
  u_run(qp);
  return 0;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
  int error = u_enter(__func__);
  return u_result(error ? error : u_modify_qp(qp, attr, mask));
}

int ibv_query_qp(struct ibv_qp *raw, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *initial) {
  (void)mask;
  struct u_qp *qp = (struct u_qp *)raw;
  int error = u_enter(__func__);
  if (error == 0) {
    *attr = qp->attr;
    attr->qp_state = attr->cur_qp_state = raw->state;
    attr->cap = qp->initial.cap;
    attr->sq_psn += u_fault(WRONG_PSN);
    attr->sq_draining = raw->state == IBV_QPS_SQD && qp->draining;
    *initial = qp->initial;
  }
  return u_result(error);
}

int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  int error = u_enter(__func__);
  return u_result(error ? error : u_attach((struct u_qp *)qp, gid, lid));
}

int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  (void)lid;
  int answer, error = u_destroying(__func__, &answer);
  error = error ? error : u_detach((struct u_qp *)qp, gid);
  return u_result(error ? error : answer);
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
  (void)qp, (void)ece;
  int error = u_enter(__func__);
  return u_result(error ? error : EOPNOTSUPP);
}

int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
  (void)qp, (void)ece;
  int error = u_enter(__func__);
  return u_result(error ? error : EOPNOTSUPP);
}

int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode opcode, uint32_t flags) {
  (void)qp, (void)opcode, (void)flags;
  return 0;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp) {
  (void)qp;
  return NULL;
}
