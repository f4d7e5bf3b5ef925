import type { SeededRandom } from './seeded-random.ts';
import type { BrandContent, OptionContent, ProductContent } from './shop-content.ts';

/** A brand with one sentence on how it works, for the descriptions of its products. */
export interface Maker extends BrandContent {
  readonly method: string;
}

/** An option before it has its key, its UPC and perhaps a sale price. */
export type OptionDraft = Pick<OptionContent, 'name' | 'amount' | 'priceCents' | 'content' | 'illustrations'>;

/** A product before it has its key and its place on the menu. */
export type ProductDraft = Omit<
  ProductContent,
  'key' | 'isActive' | 'isFeatured' | 'options' | 'inventoryType'
> & {
  readonly inventoryType?: ProductContent['inventoryType'];
  readonly options: readonly OptionDraft[];
};

/** The number of products with each extra, so that a menu shows every case. */
interface ShelfPlan {
  readonly slug: string;
  /** Five digits after the leading 4 of every UPC: tells the shops apart. */
  readonly upcPrefix: string;
  readonly featuredCount: number;
  readonly inactiveCount: number;
  readonly saleCount: number;
  /** Who tested what is sold by weight. */
  readonly labName: string;
}

/** The last digit of a 12-digit UPC-A: odd places weigh 3, and the whole must divide by 10. */
export function upcCheckDigit(elevenDigits: string): string {
  const sum = [...elevenDigits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Sale prices end in 50 or 00 cents, as on a price tag, and stay below the price. */
function salePrice(priceCents: number, percentOff: number): number {
  return Math.max(50, Math.floor((priceCents * (100 - percentOff)) / 5000) * 50);
}

function labResult(lab: string, at: number) {
  const date = `2026-02-${String((at % 28) + 1).padStart(2, '0')}`;
  return { lab, date, certificateUrl: `https://lab.example.com/${at + 1}.pdf` };
}

/** Completes drafts: keys, UPCs, and a few products off the menu, featured or on sale. */
export function stockMenu(
  random: SeededRandom,
  plan: ShelfPlan,
  drafts: readonly ProductDraft[],
): ProductContent[] {
  const order = random.shuffle(drafts);
  const inactive = new Set(order.slice(0, plan.inactiveCount));
  const shown = order.slice(plan.inactiveCount);
  const featured = new Set(shown.slice(0, plan.featuredCount));
  const onSale = new Set(shown.slice(plan.featuredCount, plan.featuredCount + plan.saleCount));
  let serial = 0;

  return drafts.map((draft, at) => {
    const key = `${plan.slug}-${slugOf(`${draft.categoryName} ${draft.brandName} ${draft.name}`)}`;
    const percentOff = onSale.has(draft) ? random.pick([10, 15, 20, 25]) : 0;
    const options = draft.options.map((option, index) => {
      serial += 1;
      const digits = `4${plan.upcPrefix}${String(serial).padStart(5, '0')}`;
      return {
        key: `${key}-${index + 1}`,
        ...option,
        salesPriceCents: percentOff > 0 ? salePrice(option.priceCents, percentOff) : null,
        // Goods that the shop weighs or wraps itself carry no code.
        upc: draft.inventoryType ? null : `${digits}${upcCheckDigit(digits)}`,
      };
    });
    return {
      ...draft,
      key,
      details: {
        ...draft.details,
        sku: `${plan.upcPrefix}-${String(at + 1).padStart(3, '0')}`,
        ...(draft.unit === 'gram' && { labResults: [labResult(plan.labName, at)] }),
      },
      inventoryType: draft.inventoryType ?? 'option',
      isActive: !inactive.has(draft),
      isFeatured: featured.has(draft),
      options,
    };
  });
}
