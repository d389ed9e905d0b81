// SPDX-License-Identifier: Apache-2.0
// Completion channels and completion queues.
#include "unruly.h"

struct completion_event {
  struct u_event event;
  struct u_cq *cq;
};

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
  int error = u_enter(__func__);
  struct u_channel *made = NULL;
  if (error == 0) {
    made = u_new(sizeof *made);
    u_events_open(&made->events);
    made->channel.context = context;
    made->channel.fd = made->events.fd;
    u_count(LIVE_CHANNEL, 1);
  }
  return u_pointer(made, error);
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0 && channel->refcnt > 0) {
    error = EBUSY;
  }
  if (error == 0) {
    u_events_close(&((struct u_channel *)channel)->events);
    u_free(channel, sizeof(struct u_channel));
    u_count(LIVE_CHANNEL, -1);
  }
  return u_result(error ? error : answer);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *user, struct ibv_comp_channel *channel, int vector) {
  int error = u_enter(__func__);
  struct u_cq *made = NULL;
  if (error == 0 && (cqe < 1 || cqe > u_me->max_cqe || vector < 0 || vector >= VECTORS)) {
    error = EINVAL;
  }
  if (error == 0) {
    cqe = u_grant_cqe(cqe);
    made = u_new(sizeof *made);
    made->ring = calloc(cqe, sizeof *made->ring);
    made->cq.context = context;
    made->cq.channel = channel;
    made->cq.cq_context = user;
    made->cq.cqe = cqe;
    if (channel != NULL) {
      channel->refcnt++;
    }
    u_count(LIVE_CQ, 1);
  }
  return u_pointer(made, error);
}

int ibv_resize_cq(struct ibv_cq *raw, int cqe) {
  struct u_cq *cq = (struct u_cq *)raw;
  int error = u_enter(__func__);
  if (error == 0) {
    error = u_me->bare || u_me->iwarp ? EOPNOTSUPP : cqe < 1 || cqe > u_me->max_cqe || (unsigned)cqe < cq->count ? EINVAL : 0;
  }
  if (error == 0) {
    cqe = u_grant_cqe(cqe);
    struct u_cqe *ring = calloc(cqe, sizeof *ring);
    for (unsigned i = 0; i < cq->count; i++) {
      ring[i] = cq->ring[(cq->head + i) % raw->cqe];
    }
    free(cq->ring);
    cq->ring = ring;
    cq->head = 0;
    raw->cqe = cqe;
  }
  return u_result(error);
}

int ibv_destroy_cq(struct ibv_cq *raw) {
  struct u_cq *cq = (struct u_cq *)raw;
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0 && cq->users > 0) {
    error = EBUSY;
  }
  if (error == 0) {
    if (raw->channel != NULL) {
      struct u_channel *channel = (struct u_channel *)raw->channel;
      for (struct u_event *event; (event = u_events_take(&channel->events, cq)) != NULL;) {
        free(event);
      }
      raw->channel->refcnt--;
    }
    while (!u_acknowledged(raw->context, cq, &raw->async_events_completed, cq->async) || raw->comp_events_completed != cq->events) {
      u_wait();
    }
    free(cq->ring);
    u_free(cq, sizeof *cq);
    u_count(LIVE_CQ, -1);
  }
  return u_result(error ? error : answer);
}

// Adds a completion. A queue without room is broken from then on.
void u_complete(struct ibv_cq *raw, const struct u_cqe *entry, bool solicited) {
  struct u_cq *cq = (struct u_cq *)raw;
  if (cq->broken) {
    return;
  }
  if (cq->count == (unsigned)raw->cqe) {
    cq->broken = true;
    if (!u_fault(NO_OVERFLOW_EVENT)) {
      u_async(raw->context, IBV_EVENT_CQ_ERR, raw);
    }
    return;
  }
  cq->ring[(cq->head + cq->count++) % raw->cqe] = *entry;
  if (cq->armed != 0 || cq->count - cq->visible >= u_me->burst) {
    cq->visible = cq->count; // the event of an armed queue follows the completion
  }
  bool wakes = u_fault(UNARMED_EVENT) || cq->armed == 1 || (cq->armed == 2 && ((solicited && !u_fault(LOST_SOLICITED)) || entry->wc.status != IBV_WC_SUCCESS));
  if (wakes) {
    cq->armed = 0;
    if (raw->channel != NULL) {
      struct completion_event *event = calloc(1, sizeof *event);
      event->cq = cq;
      u_events_add(&((struct u_channel *)raw->channel)->events, &event->event, cq);
    }
  }
}

// Removes the completions of a queue pair.
void u_clean(struct ibv_cq *raw, struct u_qp *qp) {
  struct u_cq *cq = (struct u_cq *)raw;
  unsigned kept = 0, visible = 0;
  for (unsigned i = 0; i < cq->count; i++) {
    struct u_cqe entry = cq->ring[(cq->head + i) % raw->cqe];
    if (entry.qp != qp) {
      visible += i < cq->visible;
      cq->ring[(cq->head + kept++) % raw->cqe] = entry;
    }
  }
  cq->count = kept;
  cq->visible = visible;
}

int u_poll_cq(struct ibv_cq *raw, int most, struct ibv_wc *to) {
  struct u_cq *cq = (struct u_cq *)raw;
  int polled = 0;
  u_lock();
  while (polled < most && cq->visible > 0) {
    if (u_fault(UNORDERED_CQ) && cq->count > 1) {
      struct u_cqe *next = &cq->ring[(cq->head + 1) % raw->cqe], first = cq->ring[cq->head];
      cq->ring[cq->head] = *next;
      *next = first;
    }
    struct u_cqe *entry = &cq->ring[cq->head];
    to[polled++] = entry->wc;
    if (entry->send) {
      entry->qp->freed = u_fault(KEPT_SLOTS) ? entry->qp->freed + 1 : entry->freed;
    }
    cq->head = (cq->head + 1) % raw->cqe;
    cq->count--;
    cq->visible--;
  }
  if (polled == 0) {
    cq->visible = cq->count;
  }
  u_unlock();
  return polled;
}

int u_req_notify_cq(struct ibv_cq *raw, int solicited) {
  struct u_cq *cq = (struct u_cq *)raw;
  int error = u_enter("ibv_req_notify_cq");
  if (error == 0 && cq->armed != 1) {
    cq->armed = solicited ? 2 : 1;
    cq->visible = cq->count;
  }
  return u_result(error);
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **user) {
  u_lock();
  struct u_event *event;
  int error = u_events_next(&((struct u_channel *)channel)->events, &event);
  if (error == 0) {
    struct u_cq *found = ((struct completion_event *)event)->cq;
    found->events++;
    *cq = &found->cq;
    *user = found->cq.cq_context;
    free(event);
  }
  return u_minus(error);
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned count) {
  u_lock();
  cq->comp_events_completed += count;
  u_wake();
  u_unlock();
}
