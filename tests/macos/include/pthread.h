// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <pthread.h> of macOS, which has no barriers, spin locks, affinities or condition clocks; for the syntax check of the
// core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_PTHREAD_H
#define CAIRN_MACOS_PTHREAD_H

typedef struct thread* pthread_t;
typedef struct pthread_attr_t pthread_attr_t;
typedef struct pthread_mutexattr_t pthread_mutexattr_t;
typedef struct pthread_condattr_t pthread_condattr_t;
typedef struct pthread_mutex_t {
    long signature;
    char opaque[56];
} pthread_mutex_t;
typedef struct pthread_cond_t {
    long signature;
    char opaque[40];
} pthread_cond_t;
#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        0x32aaaba7,                                                                                \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument);
int pthread_join(pthread_t thread, void** result);
int pthread_detach(pthread_t thread);
int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes);
int pthread_mutex_destroy(pthread_mutex_t* mutex);
int pthread_mutex_lock(pthread_mutex_t* mutex);
int pthread_mutex_unlock(pthread_mutex_t* mutex);
int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes);
int pthread_cond_destroy(pthread_cond_t* condition);
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex);
int pthread_cond_broadcast(pthread_cond_t* condition);
int pthread_cond_signal(pthread_cond_t* condition);

#endif
