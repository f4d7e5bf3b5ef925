import {
  type DifferenceCause,
  differenceCauses,
  explainDifference,
  type OtherTotals,
} from '../../engines/pricing/explain-difference.ts';
import { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { CartRequest } from '../carts/cart-request.ts';
import type { OrderType } from '../carts/cart-schemas.ts';
import { cartFactStatements, decideCart } from '../carts/carts.ts';
import { SoldGoods, selectOptionsOf } from '../former-sales/former-sales.ts';

/** A line as another system sold it: of an option, or of what has this code or name. */
interface ShadowLine {
  readonly productOptionId?: number | null;
  readonly productName?: string | null;
  readonly brandName?: string | null;
  readonly sku?: string | null;
  readonly upc?: string | null;
  readonly size?: string | null;
  readonly quantity: number;
}

/** A cart with what another system charged for it. */
export interface ShadowCart {
  /** What it is called there. */
  readonly reference: string;
  readonly type: OrderType;
  /** Delivery carts are priced without an address: taxes of a ZIP code are not. */
  readonly postalCode?: string | null;
  readonly lines: readonly ShadowLine[];
  readonly totals: OtherTotals;
}

export interface ShadowedSale {
  readonly reference: string;
  readonly theirs: OtherTotals;
  /** Null: this service would not price the cart. */
  readonly ours: OtherTotals | null;
  /** Why it is not priced, in words. */
  readonly problem: string | null;
  /** Theirs less ours, in cents; the causes add up to it. */
  readonly differenceCents: number;
  readonly causes: readonly { readonly cause: DifferenceCause; readonly cents: number }[];
}

/** Prices each cart with today's settings, as a stranger's, and explains each cent that another system charged more or less. */
export async function shadowSales(
  context: Context,
  organization: OrganizationId,
  carts: readonly ShadowCart[],
): Promise<readonly ShadowedSale[]> {
  const named = carts.flatMap(({ lines }) =>
    lines.map(({ productName, upc, sku }) => ({
      ...{ productName: productName ?? '', upc: upc ?? null, sku: sku ?? null },
    })),
  );
  const [options] = await context.database.read(organization, selectOptionsOf(named));
  const goods = new SoldGoods(options);
  const shadowed: ShadowedSale[] = [];
  for (const cart of carts) shadowed.push(await shadowSale(context, organization, cart, goods));
  return shadowed;
}

async function shadowSale(
  context: Context,
  organization: OrganizationId,
  cart: ShadowCart,
  goods: SoldGoods,
): Promise<ShadowedSale> {
  const lines = cart.lines.map((line) => ({
    productOptionId:
      line.productOptionId ?? goods.optionIdOf({ ...line, productName: line.productName ?? '' }),
    quantity: line.quantity,
  }));
  const unknown = lines.findIndex(({ productOptionId }) => productOptionId === null);
  if (unknown !== -1) {
    const { productName, sku, upc } = cart.lines[unknown]!;
    return unpriced(
      cart,
      `line ${unknown + 1} (${productName ?? sku ?? upc ?? '?'}) is no product of the catalog, or one of several`,
    );
  }
  const request: CartRequest = {
    ...{ type: cart.type, customer: null, postalCode: cart.postalCode ?? null },
    lineItems: lines.map(({ productOptionId, quantity }) => ({
      productOptionId: productOptionId!,
      quantity,
    })),
    ...{ deliveryFeeCents: null, deliveryFeeDescription: null, discountCodes: [], payments: [] },
  };
  const nowMs = context.clock.now();
  const law = context.law.current;
  try {
    const facts = await context.database.read(organization, ...cartFactStatements(request, law, nowMs));
    const decided = decideCart(request, facts, law, nowMs, false);
    const { priced, cartTaxes: taxes, taxExempt } = decided;
    const taxesBeforeDiscounts = decided.taxBase === 'before-discounts';
    const causes = explainDifference({ priced, taxes, taxExempt, taxesBeforeDiscounts }, cart.totals);
    const subtotalCents = priced.lines.reduce((sum, line) => sum + line.subtotalPriceCents, 0);
    return {
      ...{ reference: cart.reference, theirs: cart.totals, problem: null, causes },
      ours: {
        subtotalCents,
        discountCents: subtotalCents - priced.merchandiseCents,
        taxCents: priced.taxes.reduce((sum, tax) => sum + (tax.included ? 0 : tax.amountCents), 0),
        totalCents: priced.customerGrandTotalCents,
      },
      differenceCents: cart.totals.totalCents - priced.customerGrandTotalCents,
    };
  } catch (problem) {
    if (problem instanceof Failure) return unpriced(cart, problem.message);
    throw problem;
  }
}

function unpriced({ reference, totals }: ShadowCart, problem: string): ShadowedSale {
  return { reference, theirs: totals, ours: null, problem, differenceCents: 0, causes: [] };
}

/** The sums over many carts. */
export function summaryOf(sales: readonly ShadowedSale[]) {
  const causes = differenceCauses.map((cause) => ({
    cause,
    carts: sales.filter((sale) => sale.causes.some((part) => part.cause === cause)).length,
    cents: sales.reduce(
      (sum, sale) => sum + (sale.causes.find((part) => part.cause === cause)?.cents ?? 0),
      0,
    ),
  }));
  return {
    carts: sales.length,
    equal: sales.filter(({ ours, causes: parts }) => ours !== null && parts.length === 0).length,
    unpriced: sales.filter(({ ours }) => ours === null).length,
    differenceCents: sales.reduce((sum, { differenceCents }) => sum + differenceCents, 0),
    causes: causes.filter(({ carts }) => carts > 0),
  };
}
