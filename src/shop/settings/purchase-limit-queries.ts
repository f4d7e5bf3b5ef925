import type { LimitWindow } from '../../engines/purchase-limits/limit-window.ts';
import type { Counting } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import type { CannabisType } from '../../kernel/cannabis-type.ts';
import type { ContentUnit } from '../../kernel/content-units.ts';
import { statement } from '../../platform/database/statement.ts';

import type { Locality, OwnSource } from './locality.ts';

/** All SQL on the organization's own purchase limits. */

export type LimitedCustomers = 'all' | 'adult-use' | 'medical';

export interface PurchaseLimitRuleRow {
  id: number;
  name: string;
  customer_type: LimitedCustomers;
  cannabis_type: Exclude<CannabisType, 'none'>;
  limit_amount: string;
  limit_unit: ContentUnit;
  limit_window: LimitWindow['kind'];
  window_days: number | null;
  counts: Partial<Record<CannabisType, Counting>>;
  /** Null: applies everywhere. */
  locality: Locality | null;
  source: OwnSource | null;
  /** First and last local day, YYYY-MM-DD; null: open. */
  starts_on: string | null;
  ends_on: string | null;
  created_at: number;
  updated_at: number;
}

const ruleColumns = `id, name, customer_type, cannabis_type, limit_amount, limit_unit, limit_window, window_days,
          counts, locality, source, starts_on::text as starts_on, ends_on::text as ends_on, created_at, updated_at`;

/** D16: by id. */
export const selectPurchaseLimitRules = statement<Record<never, never>, PurchaseLimitRuleRow>(
  'select_purchase_limit_rules',
  `select ${ruleColumns} from purchase_limit_rules where organization_id = :organizationId order by id`,
);

/** Locks the rule: the second of two concurrent changes sees the first. */
export const lockPurchaseLimitRule = statement<{ id: number }, PurchaseLimitRuleRow>(
  'lock_purchase_limit_rule',
  `select ${ruleColumns} from purchase_limit_rules where organization_id = :organizationId and id = :id for update`,
);

type RuleParameters = {
  id: number;
  name: string;
  customerType: string;
  cannabisType: string;
  limitAmount: string;
  limitUnit: string;
  limitWindow: string;
  windowDays: number | null;
  counts: string;
  locality: string | null;
  source: string | null;
  startsOn: string | null;
  endsOn: string | null;
  at: string;
};

export const insertPurchaseLimitRule = statement<RuleParameters, never>(
  'insert_purchase_limit_rule',
  `insert into purchase_limit_rules (organization_id, id, name, customer_type, cannabis_type, limit_amount, limit_unit,
     limit_window, window_days, counts, locality, source, starts_on, ends_on, created_at, updated_at)
   values (:organizationId, :id, :name, :customerType, :cannabisType, :limitAmount, :limitUnit, :limitWindow,
     :windowDays, :counts, :locality, :source, :startsOn, :endsOn, :at, :at)`,
);

export const updatePurchaseLimitRule = statement<RuleParameters, never>(
  'update_purchase_limit_rule',
  `update purchase_limit_rules
      set name = :name, customer_type = :customerType, cannabis_type = :cannabisType, limit_amount = :limitAmount,
          limit_unit = :limitUnit, limit_window = :limitWindow, window_days = :windowDays, counts = :counts,
          locality = :locality, source = :source, starts_on = :startsOn, ends_on = :endsOn, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const deletePurchaseLimitRule = statement<{ id: number }, never>(
  'delete_purchase_limit_rule',
  `delete from purchase_limit_rules where organization_id = :organizationId and id = :id`,
);
