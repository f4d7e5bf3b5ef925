#!/usr/bin/env bash
# On the coordinator of compose.cluster.yaml: tells it of the servers that are named, each once. Wait until they are up.
set -euo pipefail
query() { psql --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1" dispensary; }
until pg_isready --quiet; do sleep 1; done
query "select citus_set_coordinator_host('coordinator')"
for server in "$@"; do
  until pg_isready --quiet --host="$server"; do sleep 1; done
  query "select citus_add_node('$server', 5432)"
done
# A server that comes later gets the small tables that each has a copy of.
query "select replicate_reference_tables('block_writes')"
