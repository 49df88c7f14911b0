#!/bin/sh
# What a machine of the providers `ec2` and `openstack` runs at its first start (docs/providers.md),
# for HBase; the image has HBase, its configuration and a service hbase-regionserver. Trimtab puts in
# CLUSTER, REQUEST, PROFILE, CACHE, MEMSTORE, BLOCK_BYTES, TOKENS and DEAD; other ${NAMES} stay.
# No secret belongs here: whoever is on the machine can read it.
set -eu

# At each start of the service: the profile as it is now in the machine's marks. Where these can't
# be read, as they were at the first start.
cat >/usr/local/sbin/trimtab-profile <<'EOF'
#!/bin/sh
base=http://169.254.169.254
mark() {
  token=$(curl -sf -m 5 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' \
    "$base/latest/api/token" || true)
  curl -sf -m 5 -H "X-aws-ec2-metadata-token: $token" \
    "$base/latest/meta-data/tags/instance/$1" \
    || curl -sf -m 5 "$base/openstack/latest/meta_data.json" \
      | python3 -c 'import json, sys; print(json.load(sys.stdin)["meta"][sys.argv[1]])' "$1" \
    || printf %s "$2"
}
cache=$(mark trimtab-cache '${CACHE}')
memstore=$(mark trimtab-memstore '${MEMSTORE}')
sed -e "s/@CACHE@/$cache/" -e "s/@MEMSTORE@/$memstore/" \
  /etc/hbase/conf/hbase-site.template >/etc/hbase/conf/hbase-site.xml
EOF
chmod 755 /usr/local/sbin/trimtab-profile

mkdir -p /etc/systemd/system/hbase-regionserver.service.d
cat >/etc/systemd/system/hbase-regionserver.service.d/profile.conf <<'EOF'
[Service]
ExecStartPre=+/usr/local/sbin/trimtab-profile
EOF
systemctl daemon-reload
systemctl enable --now hbase-regionserver
