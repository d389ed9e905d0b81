// SPDX-License-Identifier: Apache-2.0
// The ids of librdmacm. Both sides of a connection are in this process, so a message is an event at the peer.
#ifndef UNRULY_CM_H
#define UNRULY_CM_H
#include "unruly.h"

enum { REQUEST_DATA = 56, REPLY_DATA = 196, REJECT_DATA = 148, SIDR_REQUEST_DATA = 180, SIDR_REPLY_DATA = 136, MOST_DATA = 256,
  ID_GROUPS = 8, DEFAULT_TIMEOUT = 14, RNR_TIMER_OF_CM = 12, REJECTED_NO_SERVICE = 8, REJECTED_BY_CONSUMER = 28,
  SIDR_NO_SERVICE = 1, SIDR_REJECTED = 2, DATAGRAM_QKEY = 0x01234567, GROUP_QPN = 0xffffff };

enum state { IDLE, BOUND, LISTENING, ADDRESS_RESOLVED, ROUTE_RESOLVED, REQUEST_SENT, REQUEST_RECEIVED, REPLY_SENT, REPLY_RECEIVED,
  ESTABLISHED, DISCONNECTED, ENDED };

struct group {
  union ibv_gid gid;
  bool joined, attached;
};

struct c_id {
  struct rdma_cm_id id;
  enum state state;
  struct c_id *peer;              // the other side of the connection, while both ids exist
  struct c_id *listener;          // of a request whose event was not read
  bool reuse, told;               // told: DISCONNECTED has been reported
  int tos, timeout, backlog;
  uint32_t qpn, remote_qpn;
  struct rdma_conn_param depths;  // what was agreed
  uint8_t rnr_of_peer;
  struct group groups[ID_GROUPS];
  int pending;                    // events that were read and not acknowledged
  struct c_id *next;
};

struct c_event {
  struct u_event event;
  struct rdma_cm_event raw;
  uint8_t data[MOST_DATA];
};

struct c_channel {
  struct rdma_event_channel channel;
  struct u_events events;
};

extern struct c_id *c_ids;
bool c_is_datagram(const struct c_id *id);
struct c_id *c_new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space ps);
void c_free_id(struct c_id *id);
struct c_event *c_report(struct c_id *id, enum rdma_cm_event_type type, int status, const void *data, int length, int area);
void c_drop_events(struct c_id *id);
void c_disconnect(struct c_id *id);
void c_end(struct c_id *id);
struct ibv_ah_attr c_path(const struct c_id *id);
int c_modify(struct c_id *id, enum ibv_qp_state to);
bool c_attributes(struct c_id *id, enum ibv_qp_state to, struct ibv_qp_attr *attr, int *mask);
bool c_gid_of(const struct sockaddr *address, union ibv_gid *gid);
int c_reply_received(struct c_event *event);
#endif
