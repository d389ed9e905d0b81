// SPDX-License-Identifier: Apache-2.0
// Queues of events. The descriptor is readable while a queue has events.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "unruly.h"

bool u_events_open(struct u_events *queue) {
  queue->first = NULL;
  queue->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  return queue->fd >= 0;
}

void u_events_close(struct u_events *queue) {
  for (struct u_event *event; (event = u_events_take(queue, NULL)) != NULL;) {
    free(event);
  }
  close(queue->fd);
}

void u_events_add(struct u_events *queue, struct u_event *event, void *about) {
  struct u_event **place = &queue->first;
  while (*place != NULL) {
    place = &(*place)->next;
  }
  event->next = NULL;
  event->about = about;
  *place = event;
  eventfd_write(queue->fd, 1);
}

struct u_event *u_events_take(struct u_events *queue, void *about) {
  for (struct u_event **place = &queue->first; *place != NULL; place = &(*place)->next) {
    if (about == NULL || (*place)->about == about) {
      struct u_event *found = *place;
      eventfd_t ignored;
      *place = found->next;
      eventfd_read(queue->fd, &ignored); // never blocks, as the counter is the length of the queue
      return found;
    }
  }
  return NULL;
}

int u_events_next(struct u_events *queue, struct u_event **event) {
  while ((*event = u_events_take(queue, NULL)) == NULL) {
    if (u_gone()) {
      return EIO;
    }
    if (fcntl(queue->fd, F_GETFL) & O_NONBLOCK) {
      return EAGAIN;
    }
    struct pollfd ready = { .fd = queue->fd, .events = POLLIN };
    u_unlock();
    poll(&ready, 1, -1);
    u_lock();
  }
  return 0;
}
