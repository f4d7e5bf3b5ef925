import { sentence } from '../../parts/status-badge.tsx';

/** The kinds of things that the log speaks of. */
export const auditSubjects = [
  'brand',
  'compliance_transfer',
  'customer',
  'discount',
  'inventory_location',
  'inventory_vendor',
  'order',
  'organization',
  'package',
  'product',
  'product_category',
  'product_sub_category',
  'purchase_limit_rule',
  'purchase_order',
  'staff',
  'stock_balance',
  'stock_operation',
  'tag',
  'tax',
] as const;

/** `order.canceled` → `Order canceled`, `customer_group.created` → `Customer group created`. */
export function actionInWords(action: string): string {
  return sentence(action.replaceAll('.', ' '));
}

/** A value of the details in a line: `from` and `to` of a change as an arrow. */
export function detailInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.map(detailInWords).join(', ') || '–';
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([name]) => name === 'from' || name === 'to')) {
    const { from, to } = value as { from?: unknown; to?: unknown };
    return `${detailInWords(from)} → ${detailInWords(to)}`;
  }
  return entries.map(([name, it]) => `${name}: ${detailInWords(it)}`).join(', ');
}

/** All details in a line, for the table. */
export function detailsInWords(details: Readonly<Record<string, unknown>>): string {
  const { from, to, ...rest } = details;
  const change = from === undefined && to === undefined ? [] : [detailInWords({ from, to })];
  const lines = Object.entries(rest).map(([name, value]) => `${sentence(name)}: ${detailInWords(value)}`);
  return [...change, ...lines].join(' · ');
}
