import { purchaseCapsByState } from './order-script-caps.ts';
import { type Cart, fillCart, PurchaseRecord } from './order-script-cart.ts';
import { drawMoments, type Moment } from './order-script-moments.ts';
import { progressOf } from './order-script-progress.ts';
import { ScriptedStock } from './order-script-stock.ts';
import type { SeededRandom } from './seeded-random.ts';
import type {
  AddressContent,
  CustomerContent,
  DeliveryZoneContent,
  OrderType,
  ScriptedOrder,
  ScriptedPayment,
  ScriptSpan,
  ShopContent,
  StaffContent,
} from './shop-content.ts';

const typeWeights = { delivery: 26, pickup: 30, 'in-store': 44 };

const sourceWeights = {
  delivery: { 'open-api': 55, menu: 35, 'web-admin': 10 },
  pickup: { 'open-api': 38, menu: 44, 'web-admin': 12, kiosk: 6 },
  'in-store': { 'in-store': 84, kiosk: 16 },
} as const;

const paymentWeights = { cash: 45, debit: 35, processor: 14, other: 6 };

const deliveryNotes = [
  'Gate code is on the call box; please ring twice.',
  'Blue door around the side, mind the cat.',
  'Please text on arrival, the bell is broken.',
  'Leave time for the stairs: fourth floor, no elevator.',
  'Park in the alley; the street is swept this morning.',
  'Identification is ready, I will meet you at the curb.',
];

const walkInShare = 0.22;
const splitShare = 0.07;
/** Twice the largest part paid with a second type: enough remains after discounts. */
const splitFromCents = 6000;
const notesShare = 0.18;

/** The zone that delivers to a ZIP code. */
export function zoneOf(shop: ShopContent, postalCode: string): DeliveryZoneContent | undefined {
  return shop.deliveryZones.find(
    (zone) =>
      zone.postalCodes.includes(postalCode) ||
      zone.postalCodePrefixes.some((prefix) => postalCode.startsWith(prefix)),
  );
}

function pickKey<Key extends string>(random: SeededRandom, weights: Partial<Record<Key, number>>): Key {
  return random.pickWeighted(Object.entries(weights) as [Key, number][], ([, weight]) => weight)[0];
}

/** The customers of a day. The front of the list is drawn more often, so some customers come often. */
class CustomerLine {
  readonly #random: SeededRandom;
  readonly #shop: ShopContent;
  readonly #customers: readonly CustomerContent[];
  readonly #line: readonly number[];
  #day = -1;
  #joined: readonly number[] = [];
  #deliverable: readonly number[] = [];

  constructor(random: SeededRandom, shop: ShopContent, customers: readonly CustomerContent[]) {
    this.#random = random;
    this.#shop = shop;
    this.#customers = customers;
    this.#line = random.shuffle(customers.map((_, index) => index));
  }

  /** The index of a customer who had joined before that day and, for a delivery, lives in a zone. */
  draw(daysAgo: number, type: OrderType): number {
    this.#gather(daysAgo);
    const choice = type === 'delivery' ? this.#deliverable : this.#joined;
    return choice[Math.floor(choice.length * this.#random.next() ** 1.5)]!;
  }

  #gather(daysAgo: number): void {
    if (daysAgo === this.#day) return;
    this.#day = daysAgo;
    this.#joined = this.#line.filter((index) => this.#customers[index]!.joinedDaysAgo > daysAgo);
    this.#deliverable = this.#joined.filter((index) => {
      const { address } = this.#customers[index]!;
      return address !== null && zoneOf(this.#shop, address.postalCode) !== undefined;
    });
  }
}

type Buyer = Pick<ScriptedOrder, 'source' | 'customerIndex' | 'walkInName' | 'address'>;

function drawBuyer(
  random: SeededRandom,
  line: CustomerLine,
  customers: readonly CustomerContent[],
  daysAgo: number,
  type: OrderType,
): Buyer {
  const source = pickKey<ScriptedOrder['source']>(random, sourceWeights[type]);
  const index = line.draw(daysAgo, type);
  const { firstName, address } = customers[index]!;
  // A kiosk asks for a name only; at the counter some customers give none.
  if (source === 'kiosk') return { source, customerIndex: null, walkInName: firstName, address: null };
  if (source === 'in-store' && random.chance(walkInShare)) {
    return { source, customerIndex: null, walkInName: null, address: null };
  }
  return { source, customerIndex: index, walkInName: null, address: type === 'delivery' ? address : null };
}

function drawPayments(
  random: SeededRandom,
  shop: ShopContent,
  type: OrderType,
  merchandiseCents: number,
): ScriptedPayment[] {
  const usable = shop.paymentTypes.filter(
    ({ availableDelivery }) => availableDelivery || type !== 'delivery',
  );
  const pick = (from: typeof usable) => random.pickWeighted(from, ({ method }) => paymentWeights[method]);
  const main = pick(usable);
  const rest: ScriptedPayment = { paymentTypeName: main.name, amountCents: 'remaining' };
  if (merchandiseCents < splitFromCents || !random.chance(splitShare)) return [rest];
  const second = pick(usable.filter((paymentType) => paymentType !== main));
  return [{ paymentTypeName: second.name, amountCents: random.integer(2, 6) * 500 }, rest];
}

function drawIntegratorName(random: SeededRandom, shop: ShopContent, type: OrderType): string {
  const [webShop, deliveryApp] = shop.integrators;
  return (type === 'delivery' && random.chance(0.6) ? deliveryApp : webShop)!.name;
}

/** The order minimum in cents (D27). */
function minimumCentsOf(shop: ShopContent, type: OrderType, address: AddressContent | null): number {
  const zone = address ? zoneOf(shop, address.postalCode) : undefined;
  return zone?.minimumCents ?? shop.organization.orderMinimumCents[type];
}

/** The whole history of a shop; see `ScriptedOrder` for its guarantees. */
export function generateOrderScript(
  random: SeededRandom,
  shop: ShopContent,
  customers: readonly CustomerContent[],
  span: ScriptSpan,
): ScriptedOrder[] {
  const { organization } = shop;
  const stock = new ScriptedStock(shop);
  const record = new PurchaseRecord(purchaseCapsByState[organization.state]);
  const line = new CustomerLine(random.fork('line'), shop, customers);
  // The newest online orders wait in the queue, the very newest as drafts.
  const queueLength = Math.max(24, Math.round(span.count / 75));

  function drawStaff(...roles: StaffContent['role'][]): string {
    return random.pick(shop.staff.filter(({ role }) => roles.includes(role))).key;
  }

  function fillFromAnyLocation(moment: Moment, type: OrderType, buyer: Buyer): Cart | null {
    const minimumCents = minimumCentsOf(shop, type, buyer.address);
    for (const locationName of random.shuffle(organization.locationNames[type])) {
      const shelf = stock.shelfOf(locationName);
      const cart = fillCart(random, { stock, record, shelf, locationName, moment, minimumCents, ...buyer });
      if (cart) return cart;
    }
    return null;
  }

  function placeOrder(moment: Moment, type: OrderType, number: number): ScriptedOrder | null {
    const { daysAgo, minuteOfDay } = moment;
    const buyer = drawBuyer(random, line, customers, daysAgo, type);
    const cart = fillFromAnyLocation(moment, type, buyer);
    if (!cart) return null;
    stock.take(cart.items);
    record.keep(buyer.customerIndex, daysAgo, cart.amounts);

    const place = Math.floor(((span.count - number) * 3) / queueLength);
    const progress = progressOf(random, {
      type,
      startsAs: organization.statusOnCreate[type],
      ageMinutes: daysAgo * 1440 + span.nowMinuteOfDay - minuteOfDay,
      minutesToClosing: organization.closesAtMinute - minuteOfDay,
      stopAt: type === 'in-store' ? null : ((['draft', 'new', 'packed'] as const)[place] ?? null),
    });
    const atDesk = buyer.source === 'web-admin' || buyer.source === 'in-store';
    const handsOver = type === 'delivery' ? 'driver' : 'budtender';
    return {
      key: `${shop.slug}-order-${String(number).padStart(5, '0')}`,
      placedDaysAgo: daysAgo,
      placedMinuteOfDay: minuteOfDay,
      type,
      ...buyer,
      integratorName: buyer.source === 'open-api' ? drawIntegratorName(random, shop, type) : null,
      ...progress,
      locationName: cart.locationName,
      lines: cart.lines,
      payments: drawPayments(random, shop, type, cart.merchandiseCents),
      deliveryNotes: type === 'delivery' && random.chance(notesShare) ? random.pick(deliveryNotes) : null,
      placedByStaffKey: atDesk ? drawStaff('manager', 'budtender') : null,
      packedByStaffKey: progress.packedAfterMinutes === null ? null : drawStaff('budtender'),
      fulfilledByStaffKey: progress.fulfilledAfterMinutes === null ? null : drawStaff(handsOver),
      canceledByStaffKey: progress.canceledAfterMinutes === null ? null : drawStaff('manager', 'budtender'),
    };
  }

  return drawMoments(random.fork('moments'), shop, span).map((moment, index) => {
    const number = index + 1;
    // A delivery that no location can supply becomes a visit.
    const order =
      placeOrder(moment, pickKey(random, typeWeights), number) ?? placeOrder(moment, 'in-store', number);
    if (!order) throw new Error(`${shop.slug} is sold out ${moment.daysAgo} days ago`);
    return order;
  });
}
