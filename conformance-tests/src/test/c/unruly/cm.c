// SPDX-License-Identifier: Apache-2.0
// Ids, their addresses, ports and options; multicast groups.
#include <arpa/inet.h>
#include "cm.h"

struct c_id *c_ids;
enum { FIRST_PORT = 40000 };
static uint16_t last_port = FIRST_PORT;

bool c_is_datagram(const struct c_id *id) {
  return id->id.ps == RDMA_PS_UDP || id->id.ps == RDMA_PS_IPOIB;
}

struct c_id *c_new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space ps) {
  struct c_id *made = u_new(sizeof *made);
  made->id.channel = channel;
  made->id.context = context;
  made->id.ps = ps;
  made->id.qp_type = ps == RDMA_PS_TCP ? IBV_QPT_RC : IBV_QPT_UD;
  made->timeout = -1;
  made->next = c_ids;
  c_ids = made;
  u_count(LIVE_CM_ID, 1);
  return made;
}

void c_free_id(struct c_id *id) {
  struct c_id **place = &c_ids;
  while (*place != id) {
    place = &(*place)->next;
  }
  *place = id->next;
  u_free(id, sizeof *id);
  u_count(LIVE_CM_ID, -1);
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context, enum rdma_port_space ps) {
  int error = u_enter(__func__);
  if (error == 0 && ps != RDMA_PS_TCP && ps != RDMA_PS_UDP && ps != RDMA_PS_IPOIB) {
    error = EINVAL;
  }
  if (error == 0) {
    *id = &c_new_id(channel, context, ps)->id;
  }
  return u_minus(error);
}

static void leave(struct c_id *id, struct group *group) {
  if (group->attached && id->id.qp != NULL) {
    u_detach((struct u_qp *)id->id.qp, &group->gid);
  }
  memset(group, 0, sizeof *group);
}

int rdma_destroy_id(struct rdma_cm_id *raw) {
  struct c_id *id = (struct c_id *)raw;
  int answer, error = u_destroying(__func__, &answer);
  if (error == 0) {
    for (int i = 0; i < ID_GROUPS; i++) {
      leave(id, &id->groups[i]);
    }
    for (struct c_id *other = c_ids, *next; other != NULL; other = next) {
      next = other->next;
      if (other->listener == id) {
        c_drop_events(other);
        c_end(other);
        c_free_id(other);
      }
    }
    c_end(id);
    c_drop_events(id);
    while (id->pending > 0) {
      u_wait();
    }
    c_free_id(id);
  }
  return u_minus(error ? error : answer);
}

// The GID of an IP address: RoCE v2 maps an IPv4 address.
bool c_gid_of(const struct sockaddr *address, union ibv_gid *gid) {
  memset(gid, 0, sizeof *gid);
  if (address->sa_family == AF_INET) {
    gid->raw[10] = gid->raw[11] = 0xff;
    memcpy(&gid->raw[12], &((struct sockaddr_in *)address)->sin_addr, 4);
  } else if (address->sa_family == AF_INET6) {
    memcpy(gid, &((struct sockaddr_in6 *)address)->sin6_addr, 16);
  } else {
    return false;
  }
  return true;
}

static bool is_wildcard(const struct sockaddr *address) {
  static const union ibv_gid zero;
  union ibv_gid gid;
  return c_gid_of(address, &gid) && (address->sa_family == AF_INET ? memcmp(&gid.raw[12], &zero, 4) : memcmp(&gid, &zero, 16)) == 0;
}

static uint16_t port_of(const struct sockaddr *address) {
  return ((struct sockaddr_in *)address)->sin_port; // at the same place in sockaddr_in6
}

// Returns whether two ids of a port space have the same port at an overlapping address.
static bool collide(const struct c_id *one, const struct c_id *other) {
  const struct rdma_addr *a = &one->id.route.addr, *b = &other->id.route.addr;
  union ibv_gid first, second;
  c_gid_of(&a->src_addr, &first);
  c_gid_of(&b->src_addr, &second);
  return one != other && one->id.ps == other->id.ps && a->src_sin.sin_port == b->src_sin.sin_port
      && (is_wildcard(&a->src_addr) || is_wildcard(&b->src_addr) || memcmp(&first, &second, sizeof first) == 0);
}

static int take_port(struct c_id *id, uint16_t wanted) {
  uint16_t port = wanted;
  while (port == 0) {
    last_port = last_port == UINT16_MAX ? FIRST_PORT : last_port + 1;
    port = htons(last_port);
    for (struct c_id *other = c_ids; other != NULL; other = other->next) {
      if (other != id && other->id.ps == id->id.ps && port_of(&other->id.route.addr.src_addr) == port) {
        port = 0;
        break;
      }
    }
  }
  id->id.route.addr.src_sin.sin_port = port;
  for (struct c_id *other = c_ids; wanted != 0 && other != NULL; other = other->next) {
    bool same = (other->state == BOUND || other->state == LISTENING) && collide(id, other);
    if (!u_fault(SHARED_PORT) && same && (!other->reuse || !id->reuse || other->state == LISTENING)) {
      return EADDRINUSE;
    }
  }
  return 0;
}

static void copy_address(struct sockaddr_storage *to, const struct sockaddr *from) {
  memset(to, 0, sizeof *to);
  memcpy(to, from, from->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
}

static int bind_to(struct c_id *id, const struct sockaddr *address) {
  union ibv_gid gid;
  if (!c_gid_of(address, &gid)) {
    return EAFNOSUPPORT;
  }
  bool any = is_wildcard(address);
  const struct ibv_gid_entry *entry = u_gid_entry(&gid);
  if (!any && entry == NULL) {
    return EADDRNOTAVAIL;
  }
  struct sockaddr_storage before = id->id.route.addr.src_storage;
  copy_address(&id->id.route.addr.src_storage, address);
  int error = take_port(id, port_of(address));
  if (error != 0) {
    id->id.route.addr.src_storage = before;
    return error;
  }
  if (!any) {
    id->id.verbs = u_cm_context();
    id->id.port_num = entry->port_num;
  }
  id->state = BOUND;
  return 0;
}

int rdma_bind_addr(struct rdma_cm_id *raw, struct sockaddr *address) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0) {
    error = id->state == IDLE ? bind_to(id, address) : EINVAL;
  }
  return u_minus(error);
}

int rdma_listen(struct rdma_cm_id *raw, int backlog) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0 && id->state != BOUND) {
    error = EINVAL;
  }
  for (struct c_id *other = c_ids; error == 0 && other != NULL; other = other->next) {
    if ((other->state == BOUND || other->state == LISTENING) && collide(id, other)) {
      error = EADDRINUSE;
    }
  }
  if (error == 0) {
    id->state = LISTENING;
    id->backlog = backlog > 0 ? backlog : 1024;
  }
  return u_minus(error);
}

int rdma_resolve_addr(struct rdma_cm_id *raw, struct sockaddr *from, struct sockaddr *to, int timeout) {
  struct c_id *id = (struct c_id *)raw;
  (void)timeout;
  int error = u_enter(__func__);
  union ibv_gid gid;
  if (error == 0 && (id->state > BOUND || !c_gid_of(to, &gid))) {
    error = EINVAL;
  }
  bool found = error == 0 && u_gid_entry(&gid) != NULL;
  if (error == 0 && id->state == IDLE) {
    struct sockaddr_storage own;
    copy_address(&own, from != NULL ? from : to);
    if (from == NULL) {
      ((struct sockaddr_in *)&own)->sin_port = 0;
    }
    error = found || from != NULL ? bind_to(id, (struct sockaddr *)&own) : 0;
  }
  if (error == 0) {
    copy_address(&raw->route.addr.dst_storage, to);
    if (found) {
      if (is_wildcard(&raw->route.addr.src_addr)) {
        uint16_t port = port_of(&raw->route.addr.src_addr);
        copy_address(&raw->route.addr.src_storage, to);
        raw->route.addr.src_sin.sin_port = port;
      }
      raw->verbs = u_cm_context();
      raw->port_num = c_path(id).port_num;
      id->state = ADDRESS_RESOLVED;
    }
    c_report(id, found ? RDMA_CM_EVENT_ADDR_RESOLVED : RDMA_CM_EVENT_ADDR_ERROR, found ? 0 : -EHOSTUNREACH, NULL, 0, 0);
  }
  return u_minus(error);
}

int rdma_resolve_route(struct rdma_cm_id *raw, int timeout) {
  struct c_id *id = (struct c_id *)raw;
  (void)timeout;
  int error = u_enter(__func__);
  if (error == 0 && id->state != ADDRESS_RESOLVED) {
    error = EINVAL;
  }
  if (error == 0) {
    id->state = ROUTE_RESOLVED;
    c_report(id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0, NULL, 0, 0);
  }
  return u_minus(error);
}

int rdma_set_option(struct rdma_cm_id *raw, int level, int name, void *value, size_t length) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  if (error == 0) {
    error = level == RDMA_OPTION_ID && length >= 1 ? 0 : ENOSYS;
  }
  if (error == 0) {
    switch (name) {
      case RDMA_OPTION_ID_TOS: id->tos = u_fault(NO_TOS) ? 0 : *(uint8_t *)value; break;
      case RDMA_OPTION_ID_REUSEADDR:
        if (id->state == LISTENING) {
          error = EINVAL;
        } else {
          id->reuse = *(int *)value != 0;
        }
        break;
      case RDMA_OPTION_ID_AFONLY: error = id->state == IDLE || id->state == BOUND ? 0 : EINVAL; break;
      case RDMA_OPTION_ID_ACK_TIMEOUT: id->timeout = *(uint8_t *)value; break;
      default: error = ENOSYS;
    }
  }
  return u_minus(error);
}

int rdma_migrate_id(struct rdma_cm_id *raw, struct rdma_event_channel *channel) {
  int error = u_enter(__func__);
  if (error == 0 && raw->channel != channel) {
    struct c_channel *from = (struct c_channel *)raw->channel, *to = (struct c_channel *)channel;
    for (struct u_event *event; (event = u_events_take(&from->events, raw)) != NULL;) {
      u_events_add(&to->events, event, raw);
    }
    raw->channel = channel;
  }
  return u_minus(error);
}

struct ibv_context **rdma_get_devices(int *count) {
  static struct ibv_context *list[2];
  int error = u_enter(__func__);
  if (error == 0) {
    list[0] = u_cm_context();
    if (count != NULL) {
      *count = 1;
    }
  }
  return u_pointer(list, error);
}

int rdma_join_multicast_ex(struct rdma_cm_id *raw, struct rdma_cm_join_mc_attr_ex *join, void *context) {
  struct c_id *id = (struct c_id *)raw;
  int error = u_enter(__func__);
  struct group *group = NULL;
  for (int i = 0; i < ID_GROUPS && group == NULL; i++) {
    group = id->groups[i].joined ? NULL : &id->groups[i];
  }
  union ibv_gid gid;
  if (error == 0) {
    bool may = raw->verbs != NULL && (id->state == BOUND || id->state == ADDRESS_RESOLVED || id->state == ROUTE_RESOLVED);
    error = !may || !c_gid_of(join->addr, &gid) || !u_is_group(&gid) ? EINVAL : group == NULL ? ENOMEM : 0;
  }
  if (error == 0) {
    *group = (struct group){ .gid = gid, .joined = true };
    if (raw->qp != NULL && join->join_flags == RDMA_MC_JOIN_FLAG_FULLMEMBER) {
      error = u_attach((struct u_qp *)raw->qp, &group->gid, u_group_lid(&group->gid));
      group->attached = error == 0;
    }
    struct c_event *event = c_report(id, RDMA_CM_EVENT_MULTICAST_JOIN, 0, NULL, 0, 0);
    event->raw.param.ud = (struct rdma_ud_param){ .private_data = context, .ah_attr = c_path(id), .qp_num = GROUP_QPN,
      .qkey = DATAGRAM_QKEY };
    event->raw.param.ud.ah_attr.grh.dgid = group->gid;
    event->raw.param.ud.ah_attr.dlid = u_group_lid(&group->gid);
  }
  return u_minus(error);
}

int rdma_leave_multicast(struct rdma_cm_id *raw, struct sockaddr *address) {
  struct c_id *id = (struct c_id *)raw;
  int answer, error = u_destroying(__func__, &answer);
  union ibv_gid gid;
  if (error == 0) {
    error = EADDRNOTAVAIL;
    for (int i = 0; c_gid_of(address, &gid) && i < ID_GROUPS && error != 0; i++) {
      if (id->groups[i].joined && memcmp(&id->groups[i].gid, &gid, sizeof gid) == 0) {
        leave(id, &id->groups[i]);
        error = 0;
      }
    }
  }
  return u_minus(error ? error : answer);
}
