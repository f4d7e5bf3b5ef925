import { countedThc } from '../../engines/goods/potency.ts';
import type { StateLaw } from '../../engines/jurisdictions/law-book.ts';
import { countedContent, type PurchaseLimit } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import { audienceOf, checkLimits, limitsFor } from '../carts/carts.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import type { OrderLine, OrderRecord } from './order-record.ts';

/** The shop and the customer of an order, as limits ask for them. */
interface LimitedSale {
  readonly law: StateLaw;
  readonly state: string;
  readonly tz: string;
  /** YYYY-MM-DD; null: not known. */
  readonly birthday: string | null;
  /** The state where the customer lives; null: not asked. */
  readonly residence: string | null;
  readonly ownRules: readonly PurchaseLimitRuleRow[];
}

/**
 * What an order alone uses of each purchase limit, of which it uses any (D29, D36): by the rules of the day on which it was
 * fulfilled, else placed, and by the customer's status on the order. Other purchases are not in it, nor are returns.
 */
export function limitsUsedBy(
  { head, lines }: Pick<OrderRecord, 'head' | 'lines'>,
  { law, state, tz, birthday, residence, ownRules }: LimitedSale,
): PurchaseLimit[] {
  const today = localDateAt(head.fulfilledAt ?? head.createdAt, tz);
  const { isMedical, taxExempt, type: orderType, postalCode } = head;
  const standing = { jurisdiction: law.find(state), today, birthday, isMedical, residence, taxExempt };
  const rules = limitsFor(standing, audienceOf(standing), ownRules, { orderType, postalCode });
  const { limits } = checkLimits(rules, standing.today, limitedLines(lines), []);
  return limits.filter(({ used }) => used !== '0');
}

/** The milligrams of THC that limits count of one unit of a line; null: not known. */
function countedThcOfLine(line: OrderLine): string | null {
  return countedThc({
    cannabisType: line.productCannabisType,
    unit: line.productUnit,
    amount: line.optionAmount,
    content: line.optionContent,
    thcPercent: line.optionThcPercent,
    thcMg: line.optionThcMg,
  });
}

/** The lines of an order as limits count them. */
export function limitedLines(lines: readonly OrderLine[]) {
  return lines.map((line) => {
    const { productCannabisType: cannabisType, optionContent: content, productUnit: unit } = line;
    return {
      cannabisType,
      content: countedContent({ cannabisType, content, unit, amount: line.optionAmount }),
      thcMg: countedThcOfLine(line),
      quantity: line.quantity,
    };
  });
}
