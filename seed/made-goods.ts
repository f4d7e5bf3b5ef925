import type { OptionDraft, ProductDraft } from './shelf.ts';
import type { IllustrationShape, Potency, StrainType } from './shop-content.ts';

/** Milligrams in the whole pack, and in one piece where there are several. */
export interface MilligramsInPack {
  readonly thc?: readonly [total: string, each: string | null];
  readonly cbd?: readonly [total: string, each: string | null];
}

/** A manufactured product with its own description. */
interface MadeGood {
  readonly name: string;
  readonly brandName: string;
  readonly categoryName: string;
  readonly subCategoryName: string;
  readonly shapes: readonly IllustrationShape[];
  readonly description: string;
  readonly strainType?: StrainType;
  readonly milligrams?: MilligramsInPack;
  readonly tagNames?: readonly string[];
  readonly inventoryType?: 'none';
  readonly options: readonly OptionDraft[];
}

/** An option as in a price list: label (null: the menu's default), pieces, cents, content. */
export function size(
  name: string | null,
  amount: number,
  priceCents: number,
  content: string | null,
): OptionDraft {
  return { name, amount, priceCents, content };
}

function inMilligrams(pack: readonly [string, string | null] | undefined): Potency | null {
  return pack ? { unit: 'mg', amount: pack[0], amountEach: pack[1], low: null, high: null } : null;
}

/** The product of a manufactured good, sold by the piece. */
export function draftMadeGood(good: MadeGood): ProductDraft {
  return {
    name: good.name,
    description: good.description,
    unit: 'item',
    strainType: good.strainType ?? 'none',
    brandName: good.brandName,
    categoryName: good.categoryName,
    subCategoryNames: [good.subCategoryName],
    tagNames: good.tagNames ?? [],
    thc: inMilligrams(good.milligrams?.thc),
    cbd: inMilligrams(good.milligrams?.cbd),
    illustrations: good.shapes.map((shape) => ({
      shape,
      paletteSeed: good.brandName,
      patternSeed: good.name,
    })),
    options: good.options,
    ...(good.inventoryType ? { inventoryType: good.inventoryType } : {}),
  };
}
