import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { TaxBasis } from '../../engines/goods/tax-basis.ts';
import type { PatientsRule } from '../../engines/jurisdictions/jurisdiction.ts';
import type { TaxRounding, TaxTier, TaxType } from '../../engines/pricing/pricing-facts.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { Locality, OwnSource } from './locality.ts';

/** All SQL on taxes. */

export interface TaxRow {
  id: number;
  description: string;
  rate: string;
  /** Null: the rate, of the price. */
  basis: TaxBasis | null;
  tier: TaxTier;
  type: TaxType;
  included: boolean;
  encompass: boolean;
  exemptable: boolean;
  applies_to_fees: boolean;
  rounding: TaxRounding;
  excluded_category_ids: number[];
  non_exemptable_category_ids: number[];
  /** Charged only on deliveries to the zones that name it. */
  only_in_zones: boolean;
  customer_type: TaxedCustomers;
  /** Patients may owe it, and the owner has not decided. */
  patients_undecided: boolean;
  /** Null: applies everywhere. */
  locality: Locality | null;
}

/** The customers who owe a tax. */
export type TaxedCustomers = 'all' | 'adult-use' | 'medical';

const taxColumns = `id, description, rate, basis, tier, type, included, encompass, exemptable, applies_to_fees, rounding,
          excluded_category_ids, non_exemptable_category_ids, only_in_zones, customer_type,
          patients_undecided, locality`;

/** A tax with its time; it is in force from its start until before its end. */
export type DatedTaxRow = TaxRow & { starts_at: number | null; ends_at: number | null };

/** All taxes, including past and future ones. */
export const selectTaxes = statement<Record<never, never>, DatedTaxRow>(
  'select_taxes',
  `select ${taxColumns}, starts_at, ends_at from taxes where organization_id = :organizationId order by tier, id`,
);

/** The taxes in force at an instant: begun, and not ended. */
export const selectTaxesInForce = statement<{ at: string }, TaxRow>(
  'select_taxes_in_force',
  `select ${taxColumns}
     from taxes
    where organization_id = :organizationId
      and (starts_at is null or starts_at <= :at) and (ends_at is null or ends_at > :at)
    order by tier, id`,
);

/** What the law states about patients and a tax, and the owner's decision. */
export interface TaxOnPatients extends PatientsRule {
  readonly decision: PatientsDecision | null;
}

interface PatientsDecision {
  /** Whether patients are charged the tax. */
  readonly owe: boolean;
  /** The owner's reason. */
  readonly note: string;
  readonly decidedAt: string;
  /** The id of the staff member. */
  readonly decidedBy: number;
}

/** A tax with all fields of its settings. */
export type TaxSettingsRow = DatedTaxRow & {
  created_at: number;
  updated_at: number | null;
  patients: TaxOnPatients | null;
  source: OwnSource | null;
};

/** Includes ended ones: past orders name them. */
export const selectTaxSettings = statement<Record<never, never>, TaxSettingsRow>(
  'select_tax_settings',
  `select ${taxColumns}, starts_at, ends_at, created_at, updated_at, patients, source
     from taxes where organization_id = :organizationId order by tier, id`,
);

/** The only changes of a tax in place. */
export const updateTax = statement<
  {
    id: number;
    description: string;
    endsAt: string | null;
    patients: string | null;
    source: string | null;
    at: string;
  },
  never
>(
  'update_tax',
  `update taxes set description = :description, ends_at = :endsAt, patients = :patients, source = :source, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** A category that taxes can exclude. */
export interface TaxedCategoryRow {
  id: number;
  name: string;
  cannabis_type: CannabisType;
  is_deleted: boolean;
  updated_at: number;
}

/**
 * The cannabis types of the categories, for taxes that exclude some; includes deleted ones, because taxes name them.
 */
export const selectTaxedCategories = statement<Record<never, never>, TaxedCategoryRow>(
  'select_taxed_categories',
  `select id, name, cannabis_type, deleted_at is not null as is_deleted, updated_at
     from product_categories where organization_id = :organizationId order by id`,
);

export const insertTaxes = insertMany<{
  id: number;
  description: string;
  rate: string;
  basis: string | null;
  tier: string;
  type: string;
  included: boolean;
  encompass: boolean;
  exemptable: boolean;
  appliesToFees: boolean;
  rounding: string;
  excludedCategoryIds: readonly number[];
  nonExemptableCategoryIds: readonly number[];
  onlyInZones: boolean;
  customerType: string;
  patients: string | null;
  locality: string | null;
  source: string | null;
  startsAt: string | null;
  endsAt: string | null;
  createdAt: string;
}>('taxes', {
  id: 'id',
  description: 'description',
  rate: 'rate',
  basis: 'basis',
  tier: 'tier',
  type: 'type',
  included: 'included',
  encompass: 'encompass',
  exemptable: 'exemptable',
  appliesToFees: 'applies_to_fees',
  rounding: 'rounding',
  excludedCategoryIds: 'excluded_category_ids',
  nonExemptableCategoryIds: 'non_exemptable_category_ids',
  onlyInZones: 'only_in_zones',
  customerType: 'customer_type',
  patients: 'patients',
  locality: 'locality',
  source: 'source',
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  createdAt: 'created_at',
});
