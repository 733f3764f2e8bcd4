#!/bin/sh
# Runs systemd as the first process of a machine: new mount, process, network and host name spaces, and
# folders whose changes are in $1, so that the machine of the tests stays as it is.
set -eu
changes=$1
mount -t proc proc /proc
for folder in etc home opt root srv usr/local usr/lib/systemd var; do
  [ -d "/$folder" ] || continue
  mkdir -p "$changes/$folder/upper" "$changes/$folder/work"
  mount -t overlay overlay "/$folder" \
    -o "lowerdir=/$folder,upperdir=$changes/$folder/upper,workdir=$changes/$folder/work"
done
mkdir -p "$changes/tmp"
mount --bind "$changes/tmp" /tmp
mount -t tmpfs tmpfs /run
# Only the units that a test starts run, not those of the machine of the tests.
rm -r /etc/systemd/system /usr/lib/systemd/system/*.target.wants /usr/lib/systemd/system-generators
mkdir /etc/systemd/system
: >/etc/fstab
: >/etc/machine-id
hostname portal-1
ip link set lo up
# Control groups of its own, in one that the caller removes.
umount --recursive --lazy /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p "/sys/fs/cgroup/$2"
echo 1 >"/sys/fs/cgroup/$2/cgroup.procs"
exec env --ignore-environment container=test PATH="$PATH" unshare --cgroup sh -c \
  'umount /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec /lib/systemd/systemd --unit=basic.target'
