import type { CashRounding } from '../../engines/offline-pricing/cash-rounding.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on payment types. */

export interface PaymentTypeRow {
  id: number;
  name: string;
  fee_cents: number;
  fee_description: string | null;
  fee_percent: string;
  method: 'cash' | 'debit' | 'other' | 'processor';
  available_delivery: boolean;
  created_at: number;
  /** Null: by the state. */
  cash_rounding: CashRounding | null;
  state: string;
  takes_gift_cards: boolean;
}

/** D16: by id. Without archived ones. */
export const selectPaymentTypes = statement<Record<never, never>, PaymentTypeRow>(
  'select_payment_types',
  `select id, name, fee_cents, fee_description, fee_percent, method, available_delivery, created_at,
          cash_rounding, takes_gift_cards, (select state from organizations where id = :organizationId) as state
     from payment_types where organization_id = :organizationId and archived_at is null order by id`,
);

/** A payment type with all fields of its settings. */
type PaymentTypeSettingsRow = PaymentTypeRow & {
  archived_at: number | null;
  updated_at: number | null;
};

/** Includes archived ones; by id (D16). */
export const selectPaymentTypeSettings = statement<Record<never, never>, PaymentTypeSettingsRow>(
  'select_payment_type_settings',
  `select id, name, fee_cents, fee_description, fee_percent, method, available_delivery, created_at, archived_at,
          updated_at, cash_rounding, takes_gift_cards, (select state from organizations where id = :organizationId) as state
     from payment_types where organization_id = :organizationId order by id`,
);

export const insertPaymentTypes = insertMany<{
  id: number;
  name: string;
  feeCents: number;
  feeDescription: string | null;
  feePercent: string;
  method: string;
  availableDelivery: boolean;
  createdAt: string;
}>('payment_types', {
  id: 'id',
  name: 'name',
  feeCents: 'fee_cents',
  feeDescription: 'fee_description',
  feePercent: 'fee_percent',
  method: 'method',
  availableDelivery: 'available_delivery',
  createdAt: 'created_at',
});
