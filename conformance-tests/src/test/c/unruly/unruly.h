// SPDX-License-Identifier: Apache-2.0
// A libibverbs and librdmacm whose devices execute RC, UC and UD in this process, and which inject failures. One recursive lock
// protects all state. A post executes its requests before it returns; a thread executes those that wait for a receive or for a peer.
#ifndef UNRULY_H
#define UNRULY_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// verbs.h has macros and inline functions of these names.
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

enum { MAX_WR = 1024, MAX_SGE = 16, MAX_CQE = 4096, MAX_INLINE = 512, MAX_RD_ATOM = 16, PKEYS = 1, VECTORS = 2,
  GRH_BYTES = 40, MAX_GROUPS = 64, MAX_ATTACHED = 64 };
static const uint32_t MAX_MESSAGE = 1u << 30;
static const uint64_t NEVER = UINT64_MAX;

// The kinds of objects that are counted.
enum live { LIVE_CONTEXT, LIVE_PD, LIVE_MR, LIVE_MW, LIVE_CHANNEL, LIVE_CQ, LIVE_QP, LIVE_SRQ, LIVE_AH, LIVE_LIST, LIVE_CM_CHANNEL,
  LIVE_CM_ID, LIVE_CM_EVENT, LIVE_KINDS };

// personality.c
struct u_personality {
  const char *name;               // the device's name without its number
  unsigned types;                 // a bit for each enum ibv_qp_type
  int ports, gid_table, max_cqe;  // gid_table: the length of the GID table of a port
  unsigned max_sge;
  unsigned least_inline;          // the inline data that a queue pair is granted at least
  unsigned most_inline;           // the inline data that a queue pair is granted at most; 0: as much as it asks for
  unsigned burst;                 // completions are visible from this number on, or after an empty poll; 0: at once
  unsigned page;                  // the page size of the system; 0: 4096
  unsigned delay;                 // a call takes up to this number of microseconds
  bool full;                      // with SRQ, windows, atomics, multicast
  bool resizes;                   // an SRQ can be resized
  bool bare;                      // without rdma_cm, resizing, reregistration; the link layer is unspecified
  bool rounds;                    // sizes are rounded up to powers of two
  bool mixed_gids, separate_keys;
  bool infiniband;                // the link layer is InfiniBand, and each path needs a global route
  bool iwarp;                     // the transport is iWARP, without atomics and multicast
};
extern const struct u_personality *u_me;
bool u_grant(struct ibv_qp_cap *cap);
int u_grant_cqe(int cqe);

// Faults of the device, each of which a rule of the kit must find; the order is that of the constants of Fault.java.
enum fault { NO_FAULT, BOUNDS, ANY_RIGHT, LOST_COMPLETION, NO_FLUSH, KEPT_COMPLETIONS, UNARMED_EVENT, LIMIT_STAYS, LOST_MESSAGE, IMMEDIATE,
  DRAINED_TWICE, QKEY_IGNORED, WRONG_PSN, REJECT_STATUS, SHORT_DATA, SHARED_PORT, DETACHED_RECEIVES, SILENT_RESPONDER, OVERFULL_QUEUE,
  NO_CAS, UNORDERED_CQ, IMPLICIT_MISSES, UNCHECKED_ADVICE, DAMAGED_END, ANY_DOMAIN, ANY_LOW_BYTE, REGION_LIVES, WHOLE_REGION, STAYS_VALID,
  IGNORED_IOVA, SMALL_ADD, WRITE_TAKES_RECEIVE, FLUSHED_SRQ, NO_SQE, SENDS_IN_SQD, RIGHTS_STAY, LOST_SOLICITED, NO_ACCESS_EVENT,
  ESTABLISHED_TWICE, NO_OVERFLOW_EVENT, KEPT_SLOTS, DEPTHS_EXCHANGED, NO_DISCONNECT, DISCONNECTED_TWICE, NO_TOS };
bool u_fault(enum fault fault); // whether the device has the fault

// order.c: the lock, the counted calls, and the calls that fail.
int u_enter(const char *verb);    // takes the lock; returns the errno with which the call must fail, or 0
// The same for a verb that destroys an object. EIO means that the device is gone: the object is destroyed, and the verb answers EIO.
int u_destroying(const char *verb, int *answer);
void u_lock(void);                // takes the lock for a call that cannot fail
void u_unlock(void);
int u_result(int error);          // releases the lock, sets errno, returns the error
int u_minus(int error);           // releases the lock, sets errno, returns 0 or -1
void *u_pointer(void *made, int error); // releases the lock, sets errno if the call failed
void u_count(enum live kind, int change);
void *u_new(size_t size);         // zeroed pages of their own, so that an access after u_free ends the process
void u_free(void *object, size_t size);
bool u_gone(void);                // whether the device was removed
void unruly_fail(long n, int error);
void unruly_remove(void);
void u_wait(void);                // waits until u_wake, without the lock
void u_wake(void);
uint64_t u_now(void);             // nanoseconds
void u_sleep(pthread_cond_t *until, uint64_t deadline);

// queue.c: a queue of events behind a descriptor.
struct u_event {
  struct u_event *next;
  void *about;                    // the object whose destruction removes the event
};
struct u_events {
  int fd;
  struct u_event *first;
};
bool u_events_open(struct u_events *queue);
void u_events_close(struct u_events *queue);
void u_events_add(struct u_events *queue, struct u_event *event, void *about);
struct u_event *u_events_take(struct u_events *queue, void *about); // an event about an object (NULL: any), or NULL
int u_events_next(struct u_events *queue, struct u_event **event);  // waits if the descriptor blocks; an errno

// device.c
struct u_context {
  struct verbs_context verbs;
  struct u_events async;
  struct u_context *next;
};
struct u_async {
  struct u_event event;
  struct ibv_async_event raw;
};
struct u_context *u_context(struct ibv_context *context);
struct ibv_context *u_cm_context(void);
void u_device_removed(void);
void u_device_returned(void);
void c_device_removed(void);
void u_async(struct ibv_context *context, enum ibv_event_type type, void *element);
bool u_acknowledged(struct ibv_context *context, void *element, uint32_t *completed, uint32_t reported);

// port.c
const union ibv_gid *u_gid(unsigned port, unsigned index);
const struct ibv_gid_entry *u_gid_entry(const union ibv_gid *gid);
bool u_is_ipv4(const union ibv_gid *gid);
bool u_is_group(const union ibv_gid *gid);
bool u_path_is_good(const struct ibv_ah_attr *path);
bool u_reaches(const struct ibv_ah_attr *path);
uint16_t u_lid(unsigned port);
uint16_t u_group_lid(const union ibv_gid *gid);
int u_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t length);

// memory.c
struct u_pd {
  struct ibv_pd pd;
  int users;
};
struct u_qp;
struct u_grant {                  // the memory behind a key: a region or a window
  uint32_t lkey, rkey;
  struct ibv_pd *pd;
  char *memory;
  uint64_t start, length;
  int access;
  bool bound;                     // false for a window that is not bound
  struct u_qp *owner;             // the only queue pair that may use the window, or NULL
  struct u_mr *region;
};
struct u_mr {
  struct ibv_mr mr;
  struct u_grant grant;
  int windows;
};
struct u_mw {
  struct ibv_mw mw;
  struct u_grant grant;
};
char *u_local(struct ibv_pd *pd, const struct ibv_sge *entry, int needed);
char *u_remote(struct u_qp *qp, uint32_t rkey, uint64_t address, uint64_t length, int needed);
int u_bind(struct u_qp *qp, const struct ibv_send_wr *wr, uint32_t region_key);
bool u_invalidate(struct u_qp *qp, uint32_t rkey);
bool u_can_invalidate(struct u_qp *qp, uint32_t rkey);
void u_forget_windows(struct u_qp *qp);
struct ibv_mw *u_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
int u_dealloc_mw(struct ibv_mw *mw);

// odp.c
bool u_has_odp(void);
void u_describe_odp(struct ibv_device_attr_ex *attr);
bool u_mapped(const struct u_grant *grant, const char *memory, uint64_t length);
int u_advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *ranges, uint32_t count);

// cq.c
struct u_channel {
  struct ibv_comp_channel channel;
  struct u_events events;
};
struct u_cqe {
  struct ibv_wc wc;
  struct u_qp *qp;
  unsigned freed;                 // the slots of the send queue that are free after the poll
  bool send;
};
struct u_cq {
  struct ibv_cq cq;
  struct u_cqe *ring;
  unsigned head, count, events, async;
  unsigned visible;               // the completions that a poll returns, of those in the queue
  int armed;                      // 0, 1: next completion, 2: solicited completion
  bool broken;
  int users;
};
void u_complete(struct ibv_cq *cq, const struct u_cqe *entry, bool solicited);
void u_clean(struct ibv_cq *cq, struct u_qp *qp);
int u_poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *to);
int u_req_notify_cq(struct ibv_cq *cq, int solicited);

// qp.c, srq.c
struct u_send {
  struct ibv_send_wr wr;
  struct ibv_sge *entries;
  struct ibv_ah_attr path;
  uint32_t region_key;            // of a bind: the region may be gone when it is executed
  char *inlined;
  uint64_t inlined_bytes;
  bool tried;                     // some of it has been sent
};
struct u_receive {
  uint64_t id;
  int count;
  struct ibv_sge entries[MAX_SGE];
};
struct u_receives {
  struct u_receive *ring;
  unsigned head, tail, depth;
};
struct u_srq {
  struct ibv_srq srq;
  struct u_receives receives;
  unsigned max_sge, limit, async;
  int users;
};
struct u_qp {
  struct ibv_qp qp;
  struct ibv_qp_init_attr initial;
  struct ibv_qp_attr attr;
  struct u_send *sends;
  struct u_receives receives;
  unsigned head, tail, freed;     // next send to execute, next to post, polled
  unsigned drain_until;           // in SQD: the sends before this one are executed
  uint64_t deadline;              // a waiting send is tried again then; 0: none waits
  int retries, rnr_retries;
  bool draining, running, communicated, last_wqe;
  bool silent;                    // the passive side of an iWARP connection before the first message of its peer
  int attached;
  unsigned async;
  struct u_qp *next;
};
extern struct u_qp *u_qps;
struct u_qp *u_find(uint32_t number);
void u_to_error(struct u_qp *qp);
void u_flush_sends(struct u_qp *qp);
void u_receive_done(struct u_qp *qp, const struct u_receive *receive, struct ibv_wc wc, bool solicited);
bool u_take_receive(struct u_qp *qp, struct u_receive *into, bool take); // looks, or takes
struct ibv_ah_attr u_path_of(struct ibv_ah *ah);
int u_post_receives(struct u_receives *queue, unsigned max_sge, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
struct ibv_qp *u_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *initial, int *error);
int u_destroy_qp(struct ibv_qp *qp);
int u_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int u_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
bool u_transition(enum ibv_qp_type type, enum ibv_qp_state from, enum ibv_qp_state to, int mask);

// states.c, post.c, transport.c, datagram.c
int u_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int u_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int u_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
void u_run(struct u_qp *qp);
void u_send_done(struct u_qp *qp, struct u_send *send, enum ibv_wc_status status, uint32_t length);
int u_gather(struct u_qp *qp, const struct u_send *send, char **bytes, uint64_t *length);
bool u_scatter(struct u_qp *qp, const struct u_receive *receive, const char *bytes, uint64_t length);
uint64_t u_room(const struct u_receive *receive);
int u_send_datagram(struct u_qp *qp, struct u_send *send, const char *bytes, uint64_t length);
int u_attach(struct u_qp *qp, const union ibv_gid *gid, uint16_t lid);
int u_detach(struct u_qp *qp, const union ibv_gid *gid);
void u_forget_memberships(const struct u_qp *qp);

// iwarp.c
void i_connect(struct u_qp *active, struct u_qp *passive);
void i_end(struct u_qp *qp);
bool i_execute(struct u_qp *qp, struct u_send *send);
int i_modify(struct u_qp *qp, const struct ibv_qp_attr *attr, int mask);
void c_connection_ended(struct u_qp *qp);
#endif
