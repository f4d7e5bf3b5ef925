#!/usr/bin/env bash
# The primary of compose.fleet.yaml: makes the cluster with its roles once (docs/OPERATIONS.md, "The database"), then runs it.
set -euo pipefail
export PGDATA=/var/lib/postgresql/dispensary
options=(-c listen_addresses='*' -c wal_level=replica -c max_wal_senders=5 -c max_connections=200)

if [ ! -s "$PGDATA/ready" ]; then
  # A start that was stopped half-way begins again.
  rm -rf "$PGDATA"
  initdb --username=postgres --auth-local=peer --auth-host=scram-sha-256 --encoding=UTF8 --no-locale --data-checksums
  pg_ctl start --wait --options='-c listen_addresses='
  psql --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" --set=serving="$SERVING_PASSWORD" \
    --set=replication="$REPLICATION_PASSWORD" --dbname=postgres <<'SQL'
create role dispensary_app nologin;
create role dispensary_owner login password :'owner';
create role dispensary_serving login password :'serving' in role dispensary_app;
create role dispensary_standby login replication password :'replication';
grant dispensary_app to dispensary_owner;
create database dispensary owner dispensary_owner;
SQL
  pg_ctl stop --wait
  {
    echo 'host dispensary dispensary_owner,dispensary_serving samenet scram-sha-256'
    echo 'host replication dispensary_standby samenet scram-sha-256'
    echo 'local all postgres peer'
  } >"$PGDATA/pg_hba.conf"
  # So much log is kept for a standby that is away: a disk that it fills would stop the primary.
  echo "max_slot_wal_keep_size = '20GB'" >>"$PGDATA/postgresql.conf"
  date >"$PGDATA/ready"
fi
exec postgres "${options[@]}"
