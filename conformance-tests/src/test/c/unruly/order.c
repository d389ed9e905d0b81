// SPDX-License-Identifier: Apache-2.0
// The lock, the injected failures of calls, and the count of objects.
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "unruly.h"

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long calls;
static long fail_at;
static int fail_with;
static long remove_at;
static bool gone;
static enum fault fault;
static char failed[64];
static char blocking[64]; // the verb whose next call blocks
static bool blocked;
static char holding[64]; // the verb whose next call keeps the lock
static unsigned hold_millis;
static int live[LIVE_KINDS];

__attribute__((constructor)) static void initialise(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
}

void u_lock(void) {
  pthread_mutex_lock(&lock);
}

void u_unlock(void) {
  pthread_mutex_unlock(&lock);
}

int u_enter(const char *verb) {
  if (u_me->delay > 0) {
    usleep(u_now() / 1000 % u_me->delay);
  }
  u_lock();
  if (strcmp(verb, blocking) == 0) {
    blocking[0] = 0;
    blocked = true;
    u_wake();
    while (blocked) {
      u_wait();
    }
  }
  if (strcmp(verb, holding) == 0) {
    holding[0] = 0;
    usleep(hold_millis * 1000);
  }
  if (++calls == remove_at) {
    snprintf(failed, sizeof failed, "%s", verb);
    unruly_remove();
  }
  if (gone) {
    return EIO;
  }
  if (calls == fail_at) {
    snprintf(failed, sizeof failed, "%s", verb);
    return fail_with;
  }
  return 0;
}

int u_destroying(const char *verb, int *answer) {
  int error = u_enter(verb);
  *answer = error == EIO ? EIO : 0;
  return error == EIO ? 0 : error;
}

int u_result(int error) {
  u_unlock();
  if (error != 0) {
    errno = error;
  }
  return error;
}

int u_minus(int error) {
  return u_result(error) == 0 ? 0 : -1;
}

void *u_pointer(void *made, int error) {
  return u_result(error) == 0 ? made : NULL;
}

void u_count(enum live kind, int change) {
  live[kind] += change;
}

void u_wait(void) {
  pthread_cond_wait(&changed, &lock);
}

void u_wake(void) {
  pthread_cond_broadcast(&changed);
}

uint64_t u_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Waits without the lock until a signal or a time of u_now; NEVER: without limit.
void u_sleep(pthread_cond_t *until, uint64_t deadline) {
  if (deadline == NEVER) {
    pthread_cond_wait(until, &lock);
    return;
  }
  uint64_t now = u_now();
  uint64_t left = deadline > now ? deadline - now : 0;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  uint64_t end = (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec + left;
  time = (struct timespec){ end / 1000000000, end % 1000000000 };
  pthread_cond_timedwait(until, &lock, &time);
}

void *u_new(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void u_free(void *object, size_t size) {
  munmap(object, size);
}

bool u_gone(void) {
  return gone;
}

bool u_fault(enum fault asked) {
  return fault == asked;
}

// The functions for the test.

void unruly_fault(int wanted) {
  fault = wanted;
}

// Removes the device: each call fails with EIO, and each context and id gets its event. "unruly_return" adds a new device.
void unruly_remove(void) {
  u_lock();
  if (!gone) {
    gone = true;
    u_device_removed();
    c_device_removed();
  }
  u_unlock();
}

void unruly_return(void) {
  u_lock();
  if (gone) {
    u_device_returned();
  }
  gone = false;
  remove_at = 0;
  u_unlock();
}

// Removes the device at the n-th call from now on.
void unruly_remove_at(long n) {
  u_lock();
  unruly_fail(0, 0);
  remove_at = n;
  u_unlock();
}

// Lets the n-th call from now on fail with an errno; 0: no call.
void unruly_fail(long n, int error) {
  u_lock();
  calls = 0;
  fail_at = n;
  fail_with = error;
  failed[0] = 0;
  u_unlock();
}

// Lets the next call of a verb block until unruly_unblock, without the lock.
void unruly_block(const char *verb) {
  u_lock();
  snprintf(blocking, sizeof blocking, "%s", verb);
  u_unlock();
}

// Lets the next call of a verb keep the lock for some time, in the process itself: no thread of Java has to end it.
void unruly_hold(const char *verb, unsigned millis) {
  u_lock();
  snprintf(holding, sizeof holding, "%s", verb);
  hold_millis = millis;
  u_unlock();
}

// Waits until a call is blocked, for some milliseconds at most, and returns whether a call is.
int unruly_blocked(unsigned millis) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += millis / 1000;
  until.tv_nsec += millis % 1000 * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000L;
  }
  u_lock();
  while (!blocked && pthread_cond_timedwait(&changed, &lock, &until) == 0) {
  }
  bool now = blocked;
  u_unlock();
  return now;
}

void unruly_unblock(void) {
  u_lock();
  blocked = false;
  u_wake();
  u_unlock();
}

long unruly_calls(void) {
  return calls;
}

// The verb with the injected failure; an empty text if no failure was injected.
const char *unruly_failed(void) {
  return failed;
}

int unruly_live(int kind) {
  return kind < LIVE_KINDS ? live[kind] : -1;
}
