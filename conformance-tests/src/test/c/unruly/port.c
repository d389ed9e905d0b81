// SPDX-License-Identifier: Apache-2.0
// Ports and their GID tables.
#include <arpa/inet.h>
#include "unruly.h"

enum { MOST_GIDS = 16 };
static struct ibv_gid_entry gids[MOST_GIDS];
static int gid_count;

static void add(int port, int index, enum ibv_gid_type type, const char *address) {
  struct ibv_gid_entry *entry = &gids[gid_count++];
  inet_pton(AF_INET6, address, &entry->gid);
  entry->port_num = port;
  entry->gid_index = index;
  entry->gid_type = type;
}

__attribute__((constructor)) static void initialise(void) {
  if (u_me->bare) {
    add(1, 0, IBV_GID_TYPE_IB, "fe80::2:1");
  } else if (u_me->infiniband) {
    add(1, 0, IBV_GID_TYPE_IB, "fe80::200:0:0:1");
    add(2, 0, IBV_GID_TYPE_IB, "fec0:0:0:2:200:0:0:2");
    add(1, 1, IBV_GID_TYPE_IB, "::ffff:192.0.2.1"); // addresses of rdma_cm, which are not in the GID tables
    add(2, 1, IBV_GID_TYPE_IB, "::ffff:198.51.100.1");
  } else if (u_me->iwarp) {
    add(1, 0, IBV_GID_TYPE_IB, "5254:76:6202::");
    add(1, 1, IBV_GID_TYPE_IB, "::ffff:192.0.2.1"); // an address of rdma_cm, which is not in the GID table
  } else if (!u_me->mixed_gids) {
    add(1, 0, IBV_GID_TYPE_ROCE_V2, "fe80::2:1");
    add(1, 1, IBV_GID_TYPE_ROCE_V2, "::ffff:192.0.2.1");
    add(1, 2, IBV_GID_TYPE_ROCE_V2, "::ffff:192.0.2.3");
  }
  for (int port = 1; u_me->mixed_gids && port <= u_me->ports; port++) {
    // An address of the port and one of a VLAN. Entry 2 is gone, as after the removal of an address.
    static const char *OWN[] = { "::ffff:192.0.2.1", "::ffff:192.0.2.2" }, *VLAN[] = { "::ffff:198.51.100.1", "::ffff:198.51.100.2" };
    add(port, 0, IBV_GID_TYPE_ROCE_V1, port == 1 ? "fe80::2:1" : "fe80::2:2");
    add(port, 1, IBV_GID_TYPE_ROCE_V2, port == 1 ? "fe80::2:1" : "fe80::2:2");
    add(port, 3, IBV_GID_TYPE_ROCE_V1, OWN[port - 1]);
    add(port, 4, IBV_GID_TYPE_ROCE_V2, OWN[port - 1]);
    add(port, 5, IBV_GID_TYPE_ROCE_V1, VLAN[port - 1]);
    add(port, 6, IBV_GID_TYPE_ROCE_V2, VLAN[port - 1]);
  }
}

uint16_t u_lid(unsigned port) {
  return u_me->infiniband ? 0x10 + port : 0;
}

// Returns the LID of a multicast group, which the subnet manager assigns in InfiniBand.
uint16_t u_group_lid(const union ibv_gid *gid) {
  return u_me->infiniband ? 0xc000 | gid->raw[15] : 0;
}

// Returns the entry of a table, or NULL if it is empty.
const union ibv_gid *u_gid(unsigned port, unsigned index) {
  for (int i = 0; i < gid_count; i++) {
    if (gids[i].port_num == port && gids[i].gid_index == index) {
      return &gids[i].gid;
    }
  }
  return NULL;
}

// Returns an entry with a GID, the last one if several have it, or NULL if no port has it.
const struct ibv_gid_entry *u_gid_entry(const union ibv_gid *gid) {
  for (int i = gid_count - 1; i >= 0; i--) {
    if (memcmp(gid, &gids[i].gid, sizeof *gid) == 0) {
      return &gids[i];
    }
  }
  return NULL;
}

bool u_is_ipv4(const union ibv_gid *gid) {
  static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
  return memcmp(gid, mapped, sizeof mapped) == 0;
}

bool u_is_group(const union ibv_gid *gid) {
  return gid->raw[0] == 0xff || (u_is_ipv4(gid) && (gid->raw[12] & 0xf0) == 0xe0);
}

bool u_path_is_good(const struct ibv_ah_attr *path) {
  return path->is_global && path->grh.sgid_index < u_me->gid_table && u_gid(path->port_num, path->grh.sgid_index) != NULL;
}

// Returns whether a path leads to a port.
bool u_reaches(const struct ibv_ah_attr *path) {
  const struct ibv_gid_entry *to = u_gid_entry(&path->grh.dgid);
  return to != NULL && (!u_me->infiniband || (to->port_num == path->port_num && path->dlid == u_lid(to->port_num)));
}

int u_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t length) {
  (void)context;
  int error = u_enter("ibv_query_port");
  if (error == 0 && (port < 1 || port > u_me->ports)) {
    error = EINVAL;
  }
  if (error == 0) {
    struct ibv_port_attr found = {
      .state = IBV_PORT_ACTIVE, .max_mtu = IBV_MTU_4096, .active_mtu = IBV_MTU_1024, .gid_tbl_len = u_me->gid_table,
      .port_cap_flags = IBV_PORT_CM_SUP | (u_me->infiniband ? 0 : IBV_PORT_IP_BASED_GIDS), .max_msg_sz = u_me->bare ? 1024 : MAX_MESSAGE, .pkey_tbl_len = u_me->iwarp ? 0 : PKEYS,
      .lid = u_lid(port), .sm_lid = u_me->infiniband ? 1 : 0, .active_width = 1, .active_speed = 32, .phys_state = 5,
      .link_layer = u_me->bare ? IBV_LINK_LAYER_UNSPECIFIED
          : u_me->infiniband ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET, .flags = u_me->iwarp ? 0 : IBV_QPF_GRH_REQUIRED,
    };
    memset(attr, 0, length);
    memcpy(attr, &found, length < sizeof found ? length : sizeof found);
  }
  return u_result(error);
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
  return u_query_port(context, port, (struct ibv_port_attr *)attr, offsetof(struct ibv_port_attr, port_cap_flags2));
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t most, uint32_t flags, size_t size) {
  (void)context, (void)flags;
  int error = u_enter("ibv_query_gid_table");
  if (error == 0 && most < (size_t)u_me->gid_table * u_me->ports) {
    error = EINVAL;
  }
  int count = 0;
  for (int i = 0; error == 0 && i < gid_count; i++) {
    if (gids[i].gid_index < (uint32_t)u_me->gid_table) {
      memcpy((char *)entries + count++ * size, &gids[i], sizeof *gids);
    }
  }
  return u_result(error) ? -error : count;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey) {
  (void)context;
  int error = u_enter(__func__);
  if (error == 0 && (port < 1 || port > u_me->ports || index < 0 || index >= PKEYS || u_me->iwarp)) {
    error = u_me->iwarp ? ENOENT : EINVAL;
  }
  if (error == 0) {
    *pkey = htobe16(0xffff);
  }
  return u_minus(error);
}
