"""What a learner's process may not ask of Linux: a filter in the kernel's own form, for bubblewrap.

Nobody needs these for an answer. Some hold memory that no limit counts (``memfd_create``, System
V's shared memory); some make namespaces of their own, in which one is root again, or mount in them;
the others have had most of the kernel's holes. All others are allowed that were there when this
was written.
"""

from __future__ import annotations

import errno
import platform
import struct

# By machine: how the kernel calls it, and the numbers of what is refused.
_ALIKE = (425, 428, 429, 430, 431, 432, 433, 442, 447)
_REFUSED = {
    # memfd_create, shmget, msgget, semget, mq_open, add_key, request_key, keyctl, unshare, setns,
    # mount, umount2, pivot_root, chroot, ptrace, process_vm_readv, process_vm_writev, bpf,
    # perf_event_open, userfaultfd, open_by_handle_at, kexec_load; and, with the same number
    # everywhere, io_uring_setup, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick,
    # mount_setattr, memfd_secret.
    "x86_64": (
        *(0xC000003E, 319, 29, 68, 64, 240, 248, 249, 250, 272, 308, 165, 166, 155, 161, 101),
        *(310, 311, 321, 298, 323, 304, 246, *_ALIKE),
    ),
    "aarch64": (
        *(0xC00000B7, 279, 194, 186, 190, 180, 217, 218, 219, 97, 268, 40, 39, 41, 51, 117),
        *(270, 271, 280, 241, 282, 265, 104, *_ALIKE),
    ),
}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435  # tells by a pointer what it wants, which a filter cannot read; libraries do without
_NAMESPACES = 0x7E02_0080  # CLONE_NEW…
# From here on nothing is known: newer calls, without which every library does, and those of x86's
# programs with short pointers.
_UNKNOWN = 451
# Sockets between processes and, into a network that is empty, of the Internet. No others: AF_VSOCK
# leads out of a virtual machine whatever its network, AF_NETLINK to much of the kernel.
_SOCKET = {"x86_64": 41, "aarch64": 198}
_FAMILIES = (1, 2, 10)

# The words of the filter's language (linux/bpf_common.h, linux/seccomp.h).
_LOAD, _EQUAL, _ATLEAST, _ANY, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST = 0, 4, 16  # where each stands in what the filter looks at
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000


def syscall_filter(machine: str = "") -> bytes:
    """The filter for a machine, by its ``platform.machine()``; nothing for one not known."""
    machine = machine or platform.machine()
    if machine not in _REFUSED:
        return b""
    called, *numbers = _REFUSED[machine]
    no, not_there = _REFUSE | errno.EPERM, _REFUSE | errno.ENOSYS
    families = [_word(_EQUAL, one, len(_FAMILIES) - i, 0) for i, one in enumerate(_FAMILIES)]
    words = [
        _word(_LOAD, _MACHINE),
        _word(_EQUAL, called, 1, 0),
        _word(_RETURN, no),
        _word(_LOAD, _NUMBER),
        _word(_ATLEAST, _UNKNOWN, 0, 1),
        _word(_RETURN, not_there),
        _word(_EQUAL, _CLONE3, 0, 1),
        _word(_RETURN, not_there),
    ]
    for number in numbers:
        words += [_word(_EQUAL, number, 0, 1), _word(_RETURN, no)]
    words += [
        _word(_EQUAL, _SOCKET[machine], 0, len(families) + 3),
        _word(_LOAD, _FIRST),
        *families,
        _word(_RETURN, _REFUSE | errno.EAFNOSUPPORT),
        _word(_RETURN, _ALLOW),
        _word(_EQUAL, _CLONE[machine], 0, 3),
        _word(_LOAD, _FIRST),
        _word(_ANY, _NAMESPACES, 0, 1),
        _word(_RETURN, no),
        _word(_RETURN, _ALLOW),
    ]
    return b"".join(words)


def _word(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)
