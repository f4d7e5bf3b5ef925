import { countedThc, type StatedContent, unitContent } from '../goods/potency.ts';
import { factInWords, neededFact } from '../goods/tax-basis.ts';
import type { CartTax } from '../pricing/pricing-facts.ts';
import { isOwed } from '../pricing/taxes.ts';
import { typesCountedByThc } from '../purchase-limits/check-purchase-limits.ts';
import type { PurchaseLimitRule } from '../purchase-limits/purchase-limit-rule.ts';
import type { DutyRefusal } from './judge-duties.ts';

/* The facts that a tax or a limit needs of a product, and that the catalog does not state (D95). Pure. */

/** A fact that an option lacks. */
export interface MissingFact {
  readonly fact: 'thcPercent' | 'thcMg' | 'grams';
  /** The tax or limit that needs it. */
  readonly neededBy: string;
}

/** An option, and what is stated of its content. */
export interface StatedGoods {
  readonly name: string;
  readonly productCategoryId: number;
  readonly stated: StatedContent;
}

/** What a buyer owes and is held to. */
export interface AskedOfGoods {
  readonly taxes: readonly CartTax[];
  readonly taxExempt: boolean;
  readonly limits: readonly Pick<PurchaseLimitRule, 'name' | 'counts'>[];
}

/** What an option lacks to be sold to such a buyer. */
export function missingFacts(
  { productCategoryId, stated }: StatedGoods,
  { taxes, taxExempt, limits }: AskedOfGoods,
): MissingFact[] {
  const content = unitContent(stated);
  const ofTaxes = taxes.flatMap((tax): MissingFact[] => {
    if (tax.basis == null || !isOwed(tax, productCategoryId, taxExempt)) return [];
    const fact = neededFact(tax.basis);
    return content[fact] === null ? [{ fact, neededBy: tax.description }] : [];
  });
  const ofLimits = limits.flatMap((rule): MissingFact[] =>
    typesCountedByThc(rule).includes(stated.cannabisType) && countedThc(stated) === null
      ? [{ fact: 'thcMg', neededBy: rule.name }]
      : [],
  );
  return [...ofTaxes, ...ofLimits];
}

/** What an order of these options is refused for; none: nothing is missing. */
export function refusedForFacts(goods: readonly StatedGoods[], asked: AskedOfGoods): DutyRefusal[] {
  return goods.flatMap((it) =>
    missingFacts(it, asked)
      .slice(0, 1)
      .map(({ fact, neededBy }): DutyRefusal => {
        const words = `${it.name}: ${factInWords(fact)} is not stated, which “${neededBy}” needs. It cannot be sold before`;
        return { code: 'PRODUCT_FACT_MISSING', duty: 'productFacts', words, citation: null };
      }),
  );
}
