import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/* This slice's part in merging, erasing and exporting a customer. Queue these after the lock on the customer. */

type Merge = { fromId: number; intoId: number };

const moveCredits = statement<Merge, never>(
  'move_credits',
  `update customer_credits set user_id = :intoId
    where organization_id = :organizationId and user_id = :fromId`,
);

/** The sum may exceed the limit per customer: then no further use is possible. */
const addUses = statement<Merge, never>(
  'add_uses_of_merged_customer',
  `insert into discount_customer_uses (organization_id, discount_id, user_id, used, uses_max)
   select organization_id, discount_id, :intoId::bigint, used, uses_max from discount_customer_uses
    where organization_id = :organizationId and user_id = :fromId
    order by discount_id
   on conflict (organization_id, discount_id, user_id)
     do update set used = discount_customer_uses.used + excluded.used,
                   uses_max = greatest(discount_customer_uses.uses_max, discount_customer_uses.used + excluded.used)`,
);

const dropUses = statement<{ fromId: number }, never>(
  'drop_uses_of_merged_customer',
  'delete from discount_customer_uses where organization_id = :organizationId and user_id = :fromId',
);

const moveLoyaltyEvents = statement<Merge, never>(
  'move_loyalty_events',
  'update loyalty_events set user_id = :intoId where organization_id = :organizationId and user_id = :fromId',
);

/** What returns took below zero stays owed: the table's check refuses such a balance otherwise. */
const addPoints = statement<Merge & { at: string }, never>(
  'add_points_of_merged_customer',
  `insert into loyalty_balances (organization_id, user_id, points, updated_at, owed)
   select organization_id, :intoId::bigint, points, :at, owed from loyalty_balances
    where organization_id = :organizationId and user_id = :fromId
   on conflict (organization_id, user_id)
     do update set points = loyalty_balances.points + excluded.points, updated_at = excluded.updated_at,
                   owed = greatest(0, -loyalty_balances.points - excluded.points)`,
);

const dropPoints = statement<{ fromId: number }, never>(
  'drop_points_of_merged_customer',
  'delete from loyalty_balances where organization_id = :organizationId and user_id = :fromId',
);

/** Moves credits, counted uses and points; the balance stays the sum of its events. */
export function moveAccount(fromId: number, intoId: number, at: string): BoundStatement<never>[] {
  const merge = { fromId, intoId };
  return [
    moveCredits(merge),
    addUses(merge),
    dropUses({ fromId }),
    moveLoyaltyEvents(merge),
    addPoints({ ...merge, at }),
    dropPoints({ fromId }),
  ];
}

/** What people typed as the reason of points; the reason of an order's points names the order only. Returns all entries. */
export const erasePointReasons = statement<{ userId: number }, { id: number }>(
  'erase_point_reasons',
  `update loyalty_events
      set reason = case when type in ('adjusted', 'open-api') then 'Erased' else reason end
    where organization_id = :organizationId and user_id = :userId
   returning id`,
);

/** What people typed about credits; their amounts stay. */
export const eraseCreditDescriptions = statement<{ userId: number }, never>(
  'erase_credit_descriptions',
  `update customer_credits set description = 'Erased'
    where organization_id = :organizationId and user_id = :userId`,
);

interface ExportedPointsRow {
  id: number;
  type: string;
  points_amount: string;
  reason: string;
  order_id: string | null;
  created_at: number;
}

export const selectPointsForExport = statement<{ userId: number }, ExportedPointsRow>(
  'select_points_for_export',
  `select id, type, points_amount, reason, order_id, created_at from loyalty_events
    where organization_id = :organizationId and user_id = :userId order by id limit 100000`,
);
