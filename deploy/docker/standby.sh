#!/usr/bin/env bash
# The standby of compose.fleet.yaml: copies the primary once, then follows it.
set -euo pipefail
export PGDATA=/var/lib/postgresql/dispensary
options=(-c listen_addresses='*' -c hot_standby_feedback=on -c max_connections=200)

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  copy="$PGDATA.copy"
  export PGPASSWORD="$REPLICATION_PASSWORD"
  until pg_isready --host=db-1 --quiet; do sleep 1; done
  # A copy that was stopped half-way begins again.
  rm -rf "$copy"
  # With the password in the connection settings that --write-recovery-conf leaves, in a file of this account alone.
  pg_basebackup --host=db-1 --username=dispensary_standby --pgdata="$copy" --wal-method=stream --checkpoint=fast \
    --write-recovery-conf
  mv "$copy" "$PGDATA"
fi
exec postgres "${options[@]}"
