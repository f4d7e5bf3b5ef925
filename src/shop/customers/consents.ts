import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** The ways by which a consent comes into the records: typed by staff, sent by an integrator, or brought by an import. */
export const consentSources = ['staff', 'integrator', 'import'] as const;
export type ConsentSource = (typeof consentSources)[number];

const insertConsents = insertMany<{
  id: number;
  userId: number;
  purpose: string;
  isGiven: boolean;
  source: string;
  actor: string;
  recordedAt: string;
}>('customer_consents', {
  id: 'id',
  userId: 'user_id',
  purpose: 'purpose',
  isGiven: 'is_given',
  source: 'source',
  actor: 'actor',
  recordedAt: 'recorded_at',
});

/** By the actor of the write. An import is a write without a person in front of it. */
export function consentSourceOf({ actor }: Pick<Origin, 'actor'>): ConsentSource {
  if (actor.startsWith('staff:')) return 'staff';
  return actor.startsWith('key:') ? 'integrator' : 'import';
}

/** A consent to marketing that was given or withdrawn. */
interface SaidConsent {
  readonly userId: number;
  readonly isGiven: boolean;
  readonly at: string;
}

/** Queues the history of consents that a write gives or withdraws; the profile has the present one. */
export async function recordConsents(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Pick<Context, 'ids'>,
  origin: Pick<Origin, 'actor'>,
  source: ConsentSource,
  said: readonly SaidConsent[],
): Promise<void> {
  if (said.length === 0) return;
  const ids = await context.ids.take(said.length);
  tx.queue(
    ...insertConsents(
      said.map(({ userId, isGiven, at }, index) => ({
        ...{ id: ids[index]!, userId, purpose: 'marketing', isGiven, source },
        ...{ actor: origin.actor, recordedAt: at },
      })),
    ),
  );
}

/** The history of a merged customer goes to the target, marked as that customer's. */
export const moveConsents = statement<{ fromId: number; intoId: number }, never>(
  'move_customer_consents',
  `update customer_consents set user_id = :intoId, merged_from_id = coalesce(merged_from_id, :fromId::bigint)
    where organization_id = :organizationId and user_id = :fromId`,
);

export const eraseConsents = statement<{ userId: number }, never>(
  'erase_customer_consents',
  'delete from customer_consents where organization_id = :organizationId and user_id = :userId',
);

/** A consent as staff see it. */
export interface ConsentRow {
  readonly purpose: 'marketing';
  readonly isGiven: boolean;
  readonly source: ConsentSource;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  readonly actor: string;
  readonly mergedFromId: number | null;
}

/** More changes of a consent than a customer makes. */
export const consentsMax = 200;

/** SQL for the history of customer `c` as JSON, newest first. */
export const consentsOfCustomer = `(select coalesce(json_agg(json_build_object(
              'purpose', k.purpose, 'isGiven', k.is_given, 'source', k.source, 'actor', k.actor,
              'mergedFromId', k.merged_from_id,
              'recordedAt', (extract(epoch from k.recorded_at) * 1000)::bigint) order by k.recorded_at desc, k.id desc), '[]')
             from (select * from customer_consents h
                    where h.organization_id = :organizationId and h.user_id = c.id
                    order by h.recorded_at desc, h.id desc limit ${consentsMax}) k) as consents`;
