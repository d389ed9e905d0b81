// SPDX-License-Identifier: Apache-2.0
// Receive queues, shared receive queues and address handles.
#include "unruly.h"

int u_post_receives(struct u_receives *queue, unsigned max_sge, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  for (; wr != NULL; wr = wr->next) {
    int error = wr->num_sge < 0 || (unsigned)wr->num_sge > max_sge ? EINVAL : queue->tail - queue->head == queue->depth ? ENOMEM : 0;
    if (error != 0) {
      *bad = wr;
      return error;
    }
    struct u_receive *receive = &queue->ring[queue->tail++ % queue->depth];
    receive->id = wr->wr_id;
    receive->count = wr->num_sge;
    memcpy(receive->entries, wr->sg_list, wr->num_sge * sizeof *wr->sg_list);
  }
  return 0;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *initial) {
  int error = u_enter(__func__);
  struct u_srq *made = NULL;
  struct ibv_srq_attr *attr = &initial->attr;
  if (error == 0 && !u_me->full) {
    error = EOPNOTSUPP;
  }
  if (error == 0 && (attr->max_wr < 1 || attr->max_wr > MAX_WR || attr->max_sge > MAX_SGE)) {
    error = EINVAL;
  }
  if (error == 0) {
    made = u_new(sizeof *made);
    made->srq.context = pd->context;
    made->srq.pd = pd;
    made->srq.srq_context = initial->srq_context;
    made->receives.depth = attr->max_wr;
    made->receives.ring = calloc(attr->max_wr, sizeof *made->receives.ring);
    made->max_sge = attr->max_sge;
    ((struct u_pd *)pd)->users++;
    u_count(LIVE_SRQ, 1);
  }
  return u_pointer(made, error);
}

static int resize(struct u_receives *queue, unsigned depth) {
  unsigned held = queue->tail - queue->head;
  if (depth < 1 || depth > MAX_WR || depth < held) {
    return EINVAL;
  }
  struct u_receive *ring = calloc(depth, sizeof *ring);
  for (unsigned i = 0; i < held; i++) {
    ring[i] = queue->ring[(queue->head + i) % queue->depth];
  }
  free(queue->ring);
  *queue = (struct u_receives){ .ring = ring, .tail = held, .depth = depth };
  return 0;
}

int ibv_modify_srq(struct ibv_srq *raw, struct ibv_srq_attr *attr, int mask) {
  struct u_srq *srq = (struct u_srq *)raw;
  int error = u_enter(__func__);
  if (error == 0 && (mask & IBV_SRQ_LIMIT) && attr->srq_limit > srq->receives.depth) {
    error = EINVAL;
  }
  if (error == 0 && (mask & IBV_SRQ_MAX_WR)) {
    error = !u_me->resizes ? EINVAL : resize(&srq->receives, attr->max_wr);
  }
  if (error == 0 && (mask & IBV_SRQ_LIMIT)) {
    srq->limit = attr->srq_limit;
  }
  return u_result(error);
}

int ibv_query_srq(struct ibv_srq *raw, struct ibv_srq_attr *attr) {
  struct u_srq *srq = (struct u_srq *)raw;
  int error = u_enter(__func__);
  if (error == 0 && u_me->iwarp) {
    error = EOPNOTSUPP;
  }
  if (error == 0) {
    *attr = (struct ibv_srq_attr){ .max_wr = srq->receives.depth, .max_sge = srq->max_sge, .srq_limit = srq->limit };
  }
  return u_result(error);
}

int ibv_destroy_srq(struct ibv_srq *raw) {
  struct u_srq *srq = (struct u_srq *)raw;
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0 && srq->users > 0) {
    error = EBUSY;
  }
  if (error == 0) {
    while (!u_acknowledged(raw->context, srq, &raw->events_completed, srq->async)) {
      u_wait();
    }
    ((struct u_pd *)raw->pd)->users--;
    free(srq->receives.ring);
    u_free(srq, sizeof *srq);
    u_count(LIVE_SRQ, -1);
  }
  return u_result(error ? error : answer);
}

int u_post_srq_recv(struct ibv_srq *raw, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct u_srq *srq = (struct u_srq *)raw;
  int error = u_enter("ibv_post_srq_recv");
  if (error != 0) {
    *bad = wr;
  } else {
    error = u_post_receives(&srq->receives, srq->max_sge, wr, bad);
  }
  return u_result(error);
}

// Copies the next receive of a queue pair, and removes it if "take" is set. Returns whether there is one.
bool u_take_receive(struct u_qp *qp, struct u_receive *into, bool take) {
  struct u_srq *srq = (struct u_srq *)qp->qp.srq;
  struct u_receives *queue = srq == NULL ? &qp->receives : &srq->receives;
  if (queue->head == queue->tail) {
    return false;
  }
  *into = queue->ring[queue->head % queue->depth];
  if (take) {
    queue->head++;
    if (srq != NULL && queue->tail - queue->head < srq->limit) {
      srq->limit = u_fault(LIMIT_STAYS) ? srq->limit : 0;
      u_async(srq->srq.context, IBV_EVENT_SRQ_LIMIT_REACHED, srq);
    }
  }
  return true;
}

struct u_ah {
  struct ibv_ah ah;
  struct ibv_ah_attr path;
};

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *path) {
  int error = u_enter(__func__);
  struct u_ah *made = NULL;
  if (error == 0 && !u_path_is_good(path)) {
    error = EINVAL;
  }
  if (error == 0) {
    made = u_new(sizeof *made);
    made->ah.context = pd->context;
    made->ah.pd = pd;
    made->path = *path;
    ((struct u_pd *)pd)->users++;
    u_count(LIVE_AH, 1);
  }
  return u_pointer(made, error);
}

int ibv_destroy_ah(struct ibv_ah *ah) {
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0) {
    ((struct u_pd *)ah->pd)->users--;
    u_free(ah, sizeof(struct u_ah));
    u_count(LIVE_AH, -1);
  }
  return u_result(error ? error : answer);
}

struct ibv_ah_attr u_path_of(struct ibv_ah *ah) {
  return ((struct u_ah *)ah)->path;
}
