import { statement } from '../database/statement.ts';
import type { CannabisType } from '../kernel/cannabis-type.ts';
import type { ContentUnit } from '../kernel/content-units.ts';
import type { LimitWindow } from '../purchase-limits/limit-window.ts';
import type { Counting, PurchaseLimitRule } from '../purchase-limits/purchase-limit-rule.ts';

/** All SQL on the rules that an organization sets beside those of its state. */

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
  created_at: number;
  updated_at: number;
}

const ruleColumns = `id, name, customer_type, cannabis_type, limit_amount, limit_unit, limit_window, window_days,
          counts, created_at, updated_at`;

/** D16: by id. */
export const selectPurchaseLimitRules = statement<Record<never, never>, PurchaseLimitRuleRow>(
  'select_purchase_limit_rules',
  `select ${ruleColumns} from purchase_limit_rules where organization_id = :organizationId order by id`,
);

/** Of two who change one rule at once, the second sees what the first has made of it. */
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
  at: string;
};

export const insertPurchaseLimitRule = statement<RuleParameters, never>(
  'insert_purchase_limit_rule',
  `insert into purchase_limit_rules (organization_id, id, name, customer_type, cannabis_type, limit_amount, limit_unit,
     limit_window, window_days, counts, created_at, updated_at)
   values (:organizationId, :id, :name, :customerType, :cannabisType, :limitAmount, :limitUnit, :limitWindow,
     :windowDays, :counts, :at, :at)`,
);

export const updatePurchaseLimitRule = statement<RuleParameters, never>(
  'update_purchase_limit_rule',
  `update purchase_limit_rules
      set name = :name, customer_type = :customerType, cannabis_type = :cannabisType, limit_amount = :limitAmount,
          limit_unit = :limitUnit, limit_window = :limitWindow, window_days = :windowDays, counts = :counts,
          updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const deletePurchaseLimitRule = statement<{ id: number }, never>(
  'delete_purchase_limit_rule',
  `delete from purchase_limit_rules where organization_id = :organizationId and id = :id`,
);

/** A rule as limits are checked by it. */
export function purchaseLimitRuleOf(row: PurchaseLimitRuleRow): PurchaseLimitRule {
  return {
    name: row.name,
    window: windowOf(row),
    cannabisType: row.cannabis_type,
    limit: { amount: row.limit_amount, unit: row.limit_unit },
    counts: row.counts,
  };
}

function windowOf({ limit_window: kind, window_days: days }: PurchaseLimitRuleRow): LimitWindow {
  return kind === 'rolling-days' ? { kind, days: days! } : { kind };
}
