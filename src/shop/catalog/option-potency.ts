import { canonicalDecimalText, decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { DecimalText, Nullable } from '../../platform/http/schemas.ts';

/* What one unit of an option holds, as staff and integrators state it. Pure. */

/** What one unit of an option holds, as decimal texts; null: what the product says holds for it. */
export interface OptionPotency {
  readonly thcPercent: string | null;
  readonly thcMg: string | null;
  readonly cbdPercent: string | null;
  readonly cbdMg: string | null;
}

export const noPotency: OptionPotency = { thcPercent: null, thcMg: null, cbdPercent: null, cbdMg: null };
export const potencyFields = Object.keys(noPotency) as (keyof OptionPotency)[];

/** THC and CBD of one unit of an option. */
export function optionPotency(more: string) {
  const amount = (description: string) => Nullable(DecimalText({ description: `${description}${more}` }));
  return {
    thcPercent: amount('THC in percent; null: as the product says'),
    thcMg: amount('THC of one unit in milligrams; null: as it follows from the rest'),
    cbdPercent: amount('CBD in percent; null: as the product says'),
    cbdMg: amount('CBD of one unit in milligrams; null: as it follows from the rest'),
  };
}

/** Fails with INVALID_PARAMS for a percentage above 100. */
export function readPotencyOfOption(
  change: Partial<OptionPotency>,
  current: OptionPotency | null,
  path: string,
): OptionPotency {
  const read = (field: keyof OptionPotency): string | null => {
    const sent = change[field];
    if (sent === undefined) return current?.[field] ?? null;
    if (sent !== null && field.endsWith('Percent') && decimal(sent).gt(100)) {
      throw failure('INVALID_PARAMS', `${path}.${field} must be at most 100: it is a percentage.`);
    }
    return sent === null ? null : canonicalDecimalText(sent);
  };
  return {
    thcPercent: read('thcPercent'),
    thcMg: read('thcMg'),
    cbdPercent: read('cbdPercent'),
    cbdMg: read('cbdMg'),
  };
}
