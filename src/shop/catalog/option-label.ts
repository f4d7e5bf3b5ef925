import { canonicalDecimalText } from '../../kernel/decimal.ts';

/** "grams" or "items". */
export function unitPlural(unit: 'gram' | 'item'): string {
  return `${unit}s`;
}

/** The name of an option, or the label that menus show instead: "3.5 grams", "1 item". */
export function optionLabel(name: string | null, amount: string, unit: 'gram' | 'item'): string {
  if (name !== null) return name;
  const text = canonicalDecimalText(amount);
  return `${text} ${text === '1' ? unit : unitPlural(unit)}`;
}
