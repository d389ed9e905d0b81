// SPDX-License-Identifier: Apache-2.0
/** Devices and protection domains: the list of devices, the devices' attributes, and the creation of objects. */
package dev.verbena.ibverbs.device;
