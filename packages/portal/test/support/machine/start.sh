#!/bin/sh
# Starts systemd as the first process of a machine of its own, which `unshare` has begun. Changes of its
# folders are kept in the folder $1, and its control groups are below $2.
set -eu
changes=$1
mount -t proc proc /proc
for folder in etc home opt root srv usr/local usr/lib/systemd var; do
  [ -d "/$folder" ] || continue
  mkdir -p "$changes/$folder/upper" "$changes/$folder/work"
  mount -t overlay overlay "/$folder" \
    -o "lowerdir=/$folder,upperdir=$changes/$folder/upper,workdir=$changes/$folder/work"
done
mkdir -m 1777 "$changes/tmp"
mount --bind "$changes/tmp" /tmp
mount -t tmpfs tmpfs /run
# systemd removes what a user with RemoveIPC=yes has there, where the changes may be.
mount -t tmpfs tmpfs /dev/shm
# Only units that a test starts run, with the sockets that these use.
cd /usr/lib/systemd/system
rm -r /etc/systemd/system ./*.target.wants ../system-generators
mkdir -p /etc/systemd/system basic.target.wants
for socket in dbus.socket systemd-journald.socket systemd-journald-dev-log.socket; do
  ln -s "../$socket" basic.target.wants/
done
echo portal-1 >/etc/hostname
: >/etc/machine-id
ip link set lo up
umount --recursive --lazy /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir "/sys/fs/cgroup/$2"
echo 1 >"/sys/fs/cgroup/$2/cgroup.procs"
# `container` keeps systemd from touching the kernel's clock, console and settings.
exec env --ignore-environment container=test PATH="$PATH" unshare --cgroup sh -c \
  'umount /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec /lib/systemd/systemd --unit=basic.target'
