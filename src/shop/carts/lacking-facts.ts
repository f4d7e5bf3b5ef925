import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { type AskedOfGoods, type MissingFact, missingFacts } from '../../engines/duties/missing-facts.ts';
import { exemptsPatients } from '../../engines/jurisdictions/jurisdictions.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type SellableOptionRow, selectOptionsOfCounter, statedGoods } from '../catalog/products.ts';
import type { TaxRow } from '../settings/tax-queries.ts';
import { cartTax, selectPurchaseLimitRules, selectTaxesInForce } from '../settings/terms-of-sale.ts';
import { countsThc } from './counted-lines.ts';
import { limitsFor } from './customer-rules.ts';

/** A larger catalog is judged in its first so many options. */
const judgedOptionsMax = 20_000;

/** An option on the menu that cannot be sold to some buyer for want of a fact. */
interface LackingOption {
  readonly option: SellableOptionRow;
  readonly facts: readonly MissingFact[];
}

type Asking = Pick<Context, 'database' | 'clock' | 'law'>;

/**
 * The options on the menu that lack a fact which a tax in force or a limit of the state or the shop needs. Where nothing asks for facts, no option is
 * read.
 */
export async function lackingOptions(
  { database, clock, law }: Asking,
  organization: OrganizationId,
): Promise<LackingOption[]> {
  const nowMs = clock.now();
  const [[shop], taxes, ownRules] = await database.read(
    organization,
    selectOrganization({}),
    selectTaxesInForce({ at: isoTimestamp(nowMs) }),
    selectPurchaseLimitRules({}),
  );
  if (shop === undefined) return [];
  const jurisdiction = law.current.find(shop.state);
  if (!countsThc(jurisdiction, ownRules) && taxes.every(({ basis }) => basis === null)) return [];
  const [options] = await database.read(organization, selectOptionsOfCounter({ limit: judgedOptionsMax }));
  const buyers = buyersOf(shop, jurisdiction, localDateAt(nowMs, shop.tz), taxes, ownRules);
  return options.flatMap((option) => {
    const facts = new Map<string, MissingFact>();
    for (const asked of buyers) {
      for (const missing of missingFacts(statedGoods(option), asked)) {
        facts.set(`${missing.fact} ${missing.neededBy}`, missing);
      }
    }
    return facts.size === 0 ? [] : [{ option, facts: [...facts.values()] }];
  });
}

/** How many there are. */
export async function countLackingOptions(context: Asking, organization: OrganizationId): Promise<number> {
  return (await lackingOptions(context, organization)).length;
}

/** Adults and patients, with what each owes and is held to. */
function buyersOf(
  shop: OrganizationRow,
  jurisdiction: Parameters<typeof limitsFor>[0]['jurisdiction'],
  today: string,
  taxes: readonly TaxRow[],
  ownRules: Parameters<typeof limitsFor>[2],
): AskedOfGoods[] {
  return (['adult-use', 'medical'] as const).map((audience) => ({
    taxes: taxes.filter(({ customer_type: type }) => type === 'all' || type === audience).map(cartTax),
    taxExempt:
      audience === 'medical' &&
      (shop.medical_tax_exempt || (jurisdiction !== null && exemptsPatients(jurisdiction, today))),
    limits: limitsFor({ jurisdiction, today }, audience, ownRules, {
      orderType: 'in-store',
      postalCode: null,
    }),
  }));
}
