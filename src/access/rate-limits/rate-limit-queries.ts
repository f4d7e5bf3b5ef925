import { statement, type TextArray } from '../../platform/statements/statement.ts';

/**
 * Takes tokens of buckets that all processes share. In the order of names, so that processes do not wait for each other in a
 * circle. The clock is the database's. A bucket lacks its burst at most: one that seems to lack more was filled by a clock that has
 * been put back since, and would refuse for that long.
 */
export const takeTokens = statement<
  {
    names: TextArray;
    eachUs: readonly number[];
    bursts: readonly number[];
    wanted: readonly number[];
    areLeases: readonly string[];
  },
  { name: string; granted: number; full_after_ms: number }
>(
  'take_rate_limit_tokens',
  `insert into rate_limits as l (name, full_at, each_us, burst, wanted, is_lease, granted)
   select a.name, now() + tokens_granted(a.burst, a.wanted, a.is_lease) * a.each_us * interval '1 microsecond',
          a.each_us, a.burst, a.wanted, a.is_lease, tokens_granted(a.burst, a.wanted, a.is_lease)
     from unnest(:names::text[], :eachUs::bigint[], :bursts::integer[], :wanted::integer[], :areLeases::boolean[])
       as a(name, each_us, burst, wanted, is_lease)
    order by a.name
   on conflict (name) do update
      set each_us = excluded.each_us, burst = excluded.burst, wanted = excluded.wanted, is_lease = excluded.is_lease,
          granted = tokens_granted(tokens_left(l.full_at, excluded.each_us, excluded.burst), excluded.wanted,
                                   excluded.is_lease),
          full_at = greatest(least(l.full_at, now() + excluded.burst * excluded.each_us * interval '1 microsecond'), now())
            + interval '1 microsecond' * excluded.each_us
            * tokens_granted(tokens_left(l.full_at, excluded.each_us, excluded.burst), excluded.wanted, excluded.is_lease)
   returning name, granted, greatest(0, ceil(extract(epoch from full_at - now()) * 1000))::float8 as full_after_ms`,
);

export const giveBackTokens = statement<{ names: TextArray; eachUs: readonly number[] }>(
  'give_back_rate_limit_tokens',
  `with given as materialized (
     select l.name, a.each_us from rate_limits l
       join unnest(:names::text[], :eachUs::bigint[]) as a(name, each_us) on a.name = l.name
      order by l.name for update of l
   )
   update rate_limits l set full_at = l.full_at - interval '1 microsecond' * given.each_us
     from given where l.name = given.name`,
);

/** Full buckets are as good as none. */
export const deleteFullBuckets = statement<{ limit: number }, { name: string }>(
  'delete_full_rate_limits',
  `delete from rate_limits where name in (
     select name from rate_limits where full_at < now() limit :limit for update skip locked)
   returning name`,
);
