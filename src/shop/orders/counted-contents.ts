import { countedContent } from '../../engines/purchase-limits/counted-content.ts';
import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * What limits count of an order (D36): the content of each cannabis type, as JSON text of decimals, so that the purchases of
 * a customer are read without the lines. Null for an order with returns: its lines say what the customer kept. An order of an
 * unproven customer counts nothing: another person may have placed it.
 */
export function countedContentsOf({
  head,
  lines,
  returns,
}: Pick<OrderRecord, 'head' | 'lines' | 'returns'>): string | null {
  if (head.isUnproven) return '{}';
  if (returns.length > 0) return null;
  const contents = new Map<string, Decimal>();
  for (const line of lines) {
    const { productCannabisType: cannabisType, optionContent: content, productUnit: unit } = line;
    const ofUnit = countedContent({ cannabisType, content, unit, amount: line.optionAmount });
    if (ofUnit === null) continue;
    const ofLine = decimal(ofUnit).times(line.quantity);
    contents.set(cannabisType, contents.get(cannabisType)?.plus(ofLine) ?? ofLine);
  }
  const texts = Array.from(contents, ([type, content]) => [type, decimalText(content)]);
  return JSON.stringify(Object.fromEntries(texts));
}
