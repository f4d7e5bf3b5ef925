#!/usr/bin/env bash
# The primary of compose.fleet.yaml: makes the cluster with its roles once (docs/OPERATIONS.md, "The database"), then runs it.
# With CITUS it is one of the servers of compose.cluster.yaml, which speak to each other by the same passwords (docs/CITUS.md).
set -euo pipefail
export PGDATA=/var/lib/postgresql/dispensary
options=(-c listen_addresses='*' -c wal_level=replica -c max_wal_senders=5 -c max_connections=200)
if [ -n "${CITUS:-}" ]; then
  export PGPASSFILE="$PGDATA/passwords"
  options+=(-c shared_preload_libraries=citus -c wal_level=logical -c max_prepared_transactions=200 -c max_locks_per_transaction=1024
    -c citus.shard_count=8 -c client_connection_check_interval=2s -c jit=off
    -c citus.node_conninfo='sslmode=disable connect_timeout=2 tcp_user_timeout=3000')
fi

if [ ! -s "$PGDATA/ready" ]; then
  # A start that was stopped half-way begins again.
  rm -rf "$PGDATA"
  initdb --username=postgres --auth-local=peer --auth-host=scram-sha-256 --encoding=UTF8 --no-locale --data-checksums
  pg_ctl start --wait --options="-c listen_addresses= ${CITUS:+-c shared_preload_libraries=citus}"
  psql --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" --set=serving="$SERVING_PASSWORD" \
    --set=replication="$REPLICATION_PASSWORD" --dbname=postgres <<'SQL'
create role dispensary_app nologin;
create role dispensary_owner login password :'owner';
create role dispensary_serving login password :'serving' in role dispensary_app;
create role dispensary_standby login replication password :'replication';
grant dispensary_app to dispensary_owner;
create database dispensary owner dispensary_owner;
SQL
  if [ -n "${CITUS:-}" ]; then
    psql --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" --set=serving="$SERVING_PASSWORD" --dbname=dispensary <<'SQL'
create extension citus;
alter role postgres password :'owner';
alter role dispensary_owner createrole;
alter role dispensary_app login password :'serving';
grant dispensary_app to dispensary_owner with admin option;
SQL
    (umask 077 && printf '*:*:*:%s\n' "postgres:$OWNER_PASSWORD" "dispensary_owner:$OWNER_PASSWORD" \
      "dispensary_app:$SERVING_PASSWORD" >"$PGPASSFILE")
  fi
  pg_ctl stop --wait
  {
    if [ -n "${CITUS:-}" ]; then echo 'host dispensary postgres,dispensary_app samenet scram-sha-256'; fi
    echo 'host dispensary dispensary_owner,dispensary_serving samenet scram-sha-256'
    echo 'host replication dispensary_standby samenet scram-sha-256'
    echo 'local all postgres peer'
  } >"$PGDATA/pg_hba.conf"
  # So much log is kept for a standby that is away: a disk that it fills would stop the primary.
  echo "max_slot_wal_keep_size = '20GB'" >>"$PGDATA/postgresql.conf"
  date >"$PGDATA/ready"
fi
exec postgres "${options[@]}"
