// SPDX-License-Identifier: Apache-2.0
// As rxe.c, for connection management: what the kernel's does otherwise than the rules ask, both ends in one process.
//
//   rxe_cm ADDRESS        an address of the device
#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(done) do { if (!(done)) { fprintf(stderr, "line %d: %s: %s\n", __LINE__, #done, strerror(errno)); exit(2); } } while (0)

static struct rdma_event_channel *asking, *asked;

// The id of the next event on a channel, which must be of a type.
static struct rdma_cm_id *expect(struct rdma_event_channel *channel, enum rdma_cm_event_type type) {
  struct rdma_cm_event *event;
  MUST(rdma_get_cm_event(channel, &event) == 0);
  if (event->event != type) {
    fprintf(stderr, "%s came, where %s was expected\n", rdma_event_str(event->event), rdma_event_str(type));
    exit(2);
  }
  struct rdma_cm_id *id = event->id;
  MUST(rdma_ack_cm_event(event) == 0);
  return id;
}

static void queue_pair(struct rdma_cm_id *id) {
  struct ibv_qp_init_attr a = { .qp_type = IBV_QPT_RC, .cap = { 4, 4, 1, 1, 0 } };
  MUST(rdma_create_qp(id, NULL, &a) == 0);
}

static void seen(const char *rule, int diverges, const char *what) {
  printf(diverges ? "%s %s\n" : "# %s is kept: not %s\n", rule, what);
}

int main(int count, char **arguments) {
  struct sockaddr_in address = { .sin_family = AF_INET };
  MUST(count == 2 && inet_pton(AF_INET, arguments[1], &address.sin_addr) == 1);
  MUST(asking = rdma_create_event_channel());
  MUST(asked = rdma_create_event_channel());

  struct rdma_cm_id *listener, *active;
  MUST(rdma_create_id(asked, &listener, NULL, RDMA_PS_TCP) == 0);
  MUST(rdma_bind_addr(listener, (struct sockaddr *)&address) == 0);
  struct rdma_cm_id *unbound;
  MUST(rdma_create_id(asked, &unbound, NULL, RDMA_PS_TCP) == 0);
  seen("CM-11", rdma_listen(unbound, 1) == 0, "an id that is not bound may listen");
  MUST(rdma_destroy_id(unbound) == 0);
  MUST(rdma_listen(listener, 4) == 0);
  address.sin_port = rdma_get_src_port(listener);

  MUST(rdma_create_id(asking, &active, NULL, RDMA_PS_TCP) == 0);
  MUST(rdma_resolve_addr(active, NULL, (struct sockaddr *)&address, 60000) == 0);
  expect(asking, RDMA_CM_EVENT_ADDR_RESOLVED);
  MUST(rdma_resolve_route(active, 60000) == 0);
  expect(asking, RDMA_CM_EVENT_ROUTE_RESOLVED);
  queue_pair(active);
  struct rdma_conn_param wish = { .responder_resources = 3, .initiator_depth = 2, .retry_count = 7, .rnr_retry_count = 7 };
  MUST(rdma_connect(active, &wish) == 0);
  struct rdma_cm_id *passive = expect(asked, RDMA_CM_EVENT_CONNECT_REQUEST);
  queue_pair(passive);
  struct rdma_conn_param answer = { .responder_resources = 3, .initiator_depth = 3, .rnr_retry_count = 7 };
  MUST(rdma_accept(passive, &answer) == 0);
  expect(asking, RDMA_CM_EVENT_ESTABLISHED);
  struct ibv_qp_attr found;
  struct ibv_qp_init_attr initial;
  MUST(ibv_query_qp(active->qp, &found, IBV_QP_MAX_QP_RD_ATOMIC, &initial) == 0);
  seen("CM-04", found.max_rd_atomic > 2, "who asks for a depth of 2 READs gets what the answer offers");
  return 0;
}
