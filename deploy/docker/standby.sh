#!/usr/bin/env bash
# The standby of compose.fleet.yaml: copies the primary once, then follows it. A slot at the primary keeps the log that it has not
# read yet, so that it goes on after an absence. After one so long that the primary gave up the slot (primary.sh says when), it is
# copied anew.
set -euo pipefail
export PGDATA=/var/lib/postgresql/dispensary
options=(-c listen_addresses='*' -c hot_standby_feedback=on -c max_connections=200)
slot=db_2
export PGPASSWORD="$REPLICATION_PASSWORD"

primary() { psql --tuples-only --no-align --command="$1" 'host=db-1 user=dispensary_standby replication=yes'; }

# The log that the slot keeps begins somewhere, or the slot is lost. A primary that does not answer loses nothing.
slot_is_lost() {
  local state
  state=$(primary "READ_REPLICATION_SLOT $slot") || return 1
  [[ "$state" != *'|'*/*'|'* ]]
}

if [ ! -s "$PGDATA/PG_VERSION" ] || { [ -e "$PGDATA/standby.signal" ] && slot_is_lost; }; then
  copy="$PGDATA.copy"
  until pg_isready --host=db-1 --quiet; do sleep 1; done
  # A copy that was stopped half-way begins again.
  rm -rf "$copy"
  primary "DROP_REPLICATION_SLOT $slot WAIT" 2>/dev/null || true
  # With the password and the slot in the settings that --write-recovery-conf leaves, in a file of this account alone.
  pg_basebackup --host=db-1 --username=dispensary_standby --pgdata="$copy" --wal-method=stream --checkpoint=fast \
    --create-slot --slot="$slot" --write-recovery-conf
  rm -rf "$PGDATA"
  mv "$copy" "$PGDATA"
fi
unset PGPASSWORD
exec postgres "${options[@]}"
