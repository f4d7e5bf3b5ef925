import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type SeededRandom, seededRandom } from '../../seed/seeded-random.ts';
import type { TestService } from '../harness/test-service.ts';
import { createTestShop, type TestShop } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';

/*
 * A year of sales in three states, each of which asks something that the others do not: Illinois where a buyer lives, what potency a tax
 * goes by, and an act in June that doubles its limits; Maryland which products are for patients, and what THC counts as flower; Alaska a
 * named buyer, an ID and the THC of everything. The model is written from the facts, in whole milligrams, and knows nothing of the service.
 */

type State = 'IL' | 'MD' | 'AK';
type Form = 'flower' | 'extract' | 'edible';

interface Goods {
  readonly form: Form;
  readonly priceCents: number;
  /** The weight of the product; for an edible, its THC. */
  readonly mg: number;
  readonly thcMg: number;
}

/** Prices of which every tax is a whole number of cents. */
const goods = {
  eighth: { form: 'flower', priceCents: 3200, mg: 3500, thcMg: 700 },
  ounce: { form: 'flower', priceCents: 16_000, mg: 28_000, thcMg: 5600 },
  wax: { form: 'extract', priceCents: 4800, mg: 1000, thcMg: 800 },
  slab: { form: 'extract', priceCents: 8000, mg: 2000, thcMg: 1600 },
  gummies: { form: 'edible', priceCents: 1600, mg: 100, thcMg: 100 },
  tin: { form: 'edible', priceCents: 3200, mg: 250, thcMg: 250 },
} as const satisfies Readonly<Record<string, Goods>>;
type Option = keyof typeof goods;
const options = Object.keys(goods) as Option[];

type Cart = readonly (readonly [Option, number])[];

interface Person {
  readonly id: number;
  readonly birthday: string;
  residence: string | null;
  /** The last day of a patient's card; null: no patient. */
  cardUntil: string | null;
}

interface Sale {
  readonly day: string;
  readonly customerId: number;
  readonly cart: Cart;
  readonly orderId: string;
  isReturned: boolean;
}

interface Shop {
  readonly state: State;
  readonly tz: string;
  readonly shop: TestShop;
  readonly people: readonly Person[];
  /** The last day on which the caregiver may buy for the first of the people, a patient; null: none is registered. */
  caregiverUntil: string | null;
  readonly sales: Sale[];
  netCents: number;
  taxCents: number;
}

const zones = {
  IL: 'US/Central',
  MD: 'US/Eastern',
  AK: 'America/Anchorage',
} as const satisfies Readonly<Record<State, string>>;
const dayMs = 86_400_000;
const startMs = Date.parse('2026-03-01T15:00:00Z');
const ounceMg = 28_349.523125;

const held = (cart: Cart, what: (it: Goods) => number) =>
  cart.reduce((sum, [option, quantity]) => sum + what(goods[option]) * quantity, 0);
const weight = (form: Form) => (it: Goods) => (it.form === form ? it.mg : 0);

/** A limit: the part of it that goods use up, and for how many days they do; 0: in one sale. */
interface Limit {
  readonly days: number;
  readonly part: (it: Goods) => number;
}

function limitsOf(state: State, day: string, person: Person | null, isMedical: boolean): Limit[] {
  const cap = (form: Form, mg: number, days = 0): Limit => ({ days, part: (it) => weight(form)(it) / mg });
  if (state === 'AK') {
    return [
      ...[cap('flower', ounceMg, 1), cap('extract', 7000, 1)],
      { days: 1, part: (it) => it.thcMg / 5600 },
    ];
  }
  if (state === 'MD') {
    const sums = isMedical ? { days: 30, flower: 120_000 } : { days: 0, flower: 1.5 * ounceMg };
    const part = (it: Goods) => {
      if (it.form === 'flower') return it.mg / sums.flower;
      if (isMedical) return it.thcMg / 36_000;
      return it.mg / (it.form === 'extract' ? 12_000 : 750);
    };
    return [{ days: sums.days, part }];
  }
  if (isMedical) return [cap('flower', 2.5 * ounceMg, 14)];
  const share = (person?.residence === 'IL' ? 1 : 0.5) * (day < '2026-06-12' ? 1 : 2);
  return [...[cap('flower', 30_000 * share), cap('extract', 5000 * share)], ...[cap('edible', 500 * share)]];
}

/** Hundredths of a percent of the price. */
function taxOf(state: State, { form }: Goods, isMedical: boolean): number {
  if (state === 'AK') return 0;
  if (state === 'MD') return isMedical ? 0 : 1200;
  return isMedical ? 100 : 625 + { flower: 1000, extract: 2500, edible: 2000 }[form];
}

const yearsOn = (day: string, { birthday }: Person) =>
  Number(day.slice(0, 4)) - Number(birthday.slice(0, 4)) - (day.slice(5) < birthday.slice(5) ? 1 : 0);

const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

function isOpen(state: State, hour: number): boolean {
  if (state === 'MD') return true;
  return state === 'IL' ? hour >= 6 && hour < 22 : hour >= 8 || hour < 5;
}

/** Who stands at the counter, and for whom. */
interface Buyer {
  /** Null: a customer who gives no name. */
  readonly person: Person | null;
  readonly caregiver: Person | null;
}

/** The error of a sale over the counter, in the order in which the service looks; null: it is sold. */
function errorOf(shop: Shop, { person, caregiver }: Buyer, cart: Cart, day: string, hour: number) {
  const { state } = shop;
  const isMedical = isPatient(person, day);
  if (caregiver !== null) {
    const isRegistered = shop.caregiverUntil !== null && day <= shop.caregiverUntil;
    if (!isMedical || !isRegistered) return 'CAREGIVER_NOT_REGISTERED';
  } else if (person !== null && yearsOn(day, person) < (isMedical && state !== 'AK' ? 18 : 21)) {
    return 'CUSTOMER_UNDERAGE';
  }
  if (!isOpen(state, hour)) return 'OUTSIDE_SALE_HOURS';
  const isForPatients = ([option]: Cart[number]) => option === 'slab' || option === 'tin';
  if (state === 'MD' && !isMedical && cart.some(isForPatients)) return 'PATIENTS_ONLY_PRODUCT';
  if (state === 'AK' && person === null) return 'BUYER_REQUIRED';
  for (const { days, part } of limitsOf(state, day, person, isMedical)) {
    const own = held(cart, part);
    const before = shop.sales
      .filter((it) => it.customerId === person?.id && !it.isReturned && days > 0)
      .filter((it) => it.day > addDays(day, -days) && it.day <= day)
      .reduce((sum, it) => sum + held(it.cart, part), 0);
    if (own > 0 && own + before > 1 + 1e-9) return 'PURCHASE_LIMIT_EXCEEDED';
  }
  return null;
}

const isPatient = (person: Person | null, day: string) =>
  person !== null && person.cardUntil !== null && day <= person.cardUntil;

/** Trades in the three states, and compares each answer with the model's. */
export class LawfulYear {
  readonly #service: TestService;
  #random: SeededRandom;
  readonly #seed: number;
  readonly #shops: readonly Shop[];
  #staff: readonly TestStaff[] = [];
  #nowMs = startMs;
  /** What the sales since the last turn were answered with. */
  #answers: string[] = [];

  private constructor(service: TestService, seed: number, shops: readonly Shop[]) {
    this.#service = service;
    this.#seed = seed;
    this.#random = seededRandom(`lawful ${seed}`);
    this.#shops = shops;
  }

  static async open(service: TestService, seed: number): Promise<LawfulYear> {
    service.clock.set(startMs);
    const states = ['IL', 'MD', 'AK'] as const;
    return new LawfulYear(service, seed, await Promise.all(states.map((state) => openShop(service, state))));
  }

  /** Where its shops are. */
  get shops(): readonly TestShop[] {
    return this.#shops.map(({ shop }) => shop);
  }

  /**
   * The same year in a deployment into which its shops have moved, in their order. Both go on from here with the same draws, each with a
   * model of its own.
   */
  movedTo(service: TestService, shops: readonly TestShop[]): LawfulYear {
    const twin = new LawfulYear(
      service,
      this.#seed,
      this.#shops.map(({ shop: _, ...model }, at) => ({ ...structuredClone(model), shop: shops[at]! })),
    );
    twin.#nowMs = this.#nowMs;
    for (const year of [this, twin]) {
      year.#random = seededRandom(`lawful ${this.#seed}, second half`);
      year.#answers = [];
    }
    return twin;
  }

  /** What the sales since then were answered with, and what the reports and the pages of the customers say of the whole year. */
  async told(): Promise<unknown> {
    await this.#signIn();
    const query = { from: '2026-03-01', to: addDays('2026-03-01', 365) };
    const books = this.#shops.map(async ({ people }, index) => {
      const { call } = this.#staff[index]!;
      const pages = people.flatMap(({ id }) => [`customers/${id}`, `customers/${id}/patients`]);
      const reports = [{ by: 'day' }, { by: 'category' }, { by: 'product' }];
      return Promise.all([
        ...reports.map((by) =>
          call('GET', '/staff/v1/reports/sales', undefined, { query: { ...query, ...by } }),
        ),
        call('GET', '/staff/v1/reports/taxes', undefined, { query }),
        ...pages.map((page) => call('GET', `/staff/v1/${page}`)),
      ]);
    });
    const replies = (await Promise.all(books)).flat().map(({ status, data }) => ({ status, data }));
    return { answers: this.#answers, replies };
  }

  async trade(moves: number): Promise<{ readonly sold: number; readonly refused: number }> {
    const counts = { sold: 0, refused: 0 };
    let isNewDay = true;
    for (let at = 0; at < moves; at++) {
      if (isNewDay) await this.#signIn();
      const index = this.#random.integer(0, 2);
      const shop = this.#shops[index]!;
      const staff = this.#staff[index]!;
      const move = this.#random.integer(0, 19);
      if (move === 0) await this.#changePerson(shop, staff);
      else if (move === 1) await this.#registerCaregiver(shop, staff);
      else if (move === 2) await this.#takeBack(shop, staff);
      else counts[(await this.#sell(shop, staff)) ? 'sold' : 'refused'] += 1;
      // Most sales of a day follow soon, so that the windows of limits fill.
      isNewDay = this.#random.chance(0.25);
      const minutes = isNewDay ? this.#random.integer(300, Math.ceil((7 * 365 * 1440) / moves)) : 20;
      this.#nowMs = Math.min(this.#nowMs + minutes * 60_000, startMs + 364 * dayMs);
    }
    return counts;
  }

  /** What the reports say of the year is the sum of its sales. */
  async expectBooks(): Promise<void> {
    await this.#signIn();
    for (const [index, { state, netCents, taxCents, sales }] of this.#shops.entries()) {
      const query = { from: '2026-03-01', to: addDays('2026-03-01', 365) };
      const { data } = await this.#staff[index]!.call('GET', '/staff/v1/reports/sales', undefined, { query });
      const returned = sales.filter(({ isReturned }) => isReturned).length;
      expect([state, data.total]).toMatchObject([
        state,
        { orders: sales.length, returns: returned, netAfterRefunds: netCents, taxAfterRefunds: taxCents },
      ]);
    }
  }

  async #signIn(): Promise<void> {
    this.#service.clock.set(this.#nowMs);
    this.#staff = await Promise.all(this.#shops.map(({ shop }) => this.#service.staff(shop, 'owner')));
  }

  #localTime({ tz }: Shop): { readonly day: string; readonly hour: number } {
    const text = new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone: tz, dateStyle: 'short', timeStyle: 'short' },
    }).format(this.#nowMs);
    return { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) };
  }

  #drawBuyer({ people }: Shop): Buyer {
    const [patient, caregiver, ...others] = people;
    const draw = this.#random.integer(0, 9);
    if (draw === 0) return { person: null, caregiver: null };
    if (draw < 3) return { person: patient!, caregiver: caregiver! };
    return { person: this.#random.pick([...others, caregiver!, patient!]), caregiver: null };
  }

  #drawCart(): Cart {
    const chosen = this.#random.shuffle(options).slice(0, this.#random.integer(1, 3));
    return chosen.map((option) => [option, this.#random.integer(1, option === 'ounce' ? 2 : 6)] as const);
  }

  /** Resolves to whether it was sold. */
  async #sell(shop: Shop, staff: TestStaff): Promise<boolean> {
    this.#service.clock.set(this.#nowMs);
    const { day, hour } = this.#localTime(shop);
    const [buyer, cart] = [this.#drawBuyer(shop), this.#drawCart()];
    const { person, caregiver } = buyer;
    const expected = errorOf(shop, buyer, cart, day, hour);
    const story = () =>
      JSON.stringify({ seed: this.#seed, state: shop.state, day, hour, person, caregiver, cart });
    const placed = await staff.call('POST', '/staff/v1/orders', {
      ...{ type: 'in-store', idempotencyKey: randomUUID() },
      lineItems: cart.map(([option, quantity]) => ({
        productOptionId: shop.shop.optionId(option),
        quantity,
      })),
      payments: [{ paymentTypeId: shop.shop.paymentTypeId('Cash'), remaining: true }],
      ...(person !== null && { customerId: person.id }),
      ...(caregiver !== null && { boughtById: caregiver.id }),
    });
    this.#answers.push(
      `${shop.state} ${this.#nowMs} ${placed.error?.message ?? placed.data.customerGrandTotal}`,
    );
    expect(placed.error?.code ?? null, story()).toBe(expected);
    if (expected !== null) return false;
    const order = placed.data;
    const isMedical = isPatient(person, day);
    const tax = cart.reduce((sum, [option, quantity]) => {
      const it = goods[option];
      return sum + (it.priceCents * quantity * taxOf(shop.state, it, isMedical)) / 10_000;
    }, 0);
    const net = held(cart, ({ priceCents }) => priceCents);
    const charged = order.taxes.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
    expect([order.isMedical, charged, order.customerGrandTotal], story()).toEqual([
      ...[isMedical, tax, net + tax],
    ]);
    const fulfill = (body: object) => staff.call('POST', `/staff/v1/orders/${order.id}/fulfill`, body);
    const asksId = shop.state !== 'MD';
    if (asksId) expect((await fulfill({})).error?.code, story()).toBe('ID_CHECK_REQUIRED');
    const done = await fulfill(asksId ? { idCheck: 'scan' } : {});
    expect(done.error, story()).toBeUndefined();
    expect([done.data.boughtBy?.id ?? null, done.data.idCheck?.how ?? null], story()).toEqual([
      caregiver?.id ?? null,
      asksId ? 'scan' : null,
    ]);
    shop.sales.push({ day, cart, customerId: person?.id ?? 0, orderId: order.id, isReturned: false });
    shop.netCents += net;
    shop.taxCents += tax;
    return true;
  }

  /** A person moves, or a card ends or is renewed. */
  async #changePerson({ people, ...shop }: Shop, staff: TestStaff): Promise<void> {
    this.#service.clock.set(this.#nowMs);
    const person = this.#random.pick(people);
    const { day } = this.#localTime({ people, ...shop });
    if (this.#random.chance(0.5)) person.residence = this.#random.pick([null, 'IL', 'WI']);
    else person.cardUntil = person.cardUntil === null ? null : addDays(day, this.#random.integer(-2, 200));
    const { residence, cardUntil: medicalExpiration } = person;
    const body = { residence, medicalExpiration };
    expect((await staff.call('PATCH', `/staff/v1/customers/${person.id}`, body)).error).toBeUndefined();
  }

  async #registerCaregiver(shop: Shop, staff: TestStaff): Promise<void> {
    this.#service.clock.set(this.#nowMs);
    const [patient, caregiver] = shop.people;
    const { day } = this.#localTime(shop);
    shop.caregiverUntil = this.#random.chance(0.3) ? null : addDays(day, this.#random.integer(0, 120));
    const expiresOn = shop.caregiverUntil;
    const patients = expiresOn === null ? [] : [{ customerId: patient!.id, expiresOn }];
    const reply = await staff.call('PUT', `/staff/v1/customers/${caregiver!.id}/patients`, { patients });
    expect(reply.error).toBeUndefined();
  }

  /** What comes back counts toward no limit any more. */
  async #takeBack(shop: Shop, staff: TestStaff): Promise<void> {
    this.#service.clock.set(this.#nowMs);
    const sale = shop.sales.findLast(({ isReturned }) => !isReturned);
    if (sale === undefined) return;
    const { data: order } = await staff.call('GET', `/staff/v1/orders/${sale.orderId}`);
    const reply = await staff.call('POST', `/staff/v1/orders/${sale.orderId}/returns`, {
      ...{ refundType: 'payment-method', paymentTypeId: shop.shop.paymentTypeId('Cash') },
      idempotencyKey: randomUUID(),
      lineItems: order.lineItems.map(({ id, quantity }: { id: number; quantity: number }) => ({
        ...{ orderLineItemId: id, quantity, type: 'return', inventoryAction: 'waste', reason: 'Faulty' },
      })),
    });
    expect(reply.error, JSON.stringify({ seed: this.#seed, sale })).toBeUndefined();
    sale.isReturned = true;
    shop.netCents -= held(sale.cart, ({ priceCents }) => priceCents);
    shop.taxCents -= order.taxes.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  }
}

async function openShop(service: TestService, state: State): Promise<Shop> {
  const kinds = { flower: 'Flower', extract: 'Concentrates', edible: 'Edibles' } as const;
  const shop = await createTestShop(service.context, {
    ...{ state, tz: zones[state], taxes: [], categories: { Concentrates: 'concentrated' } },
    products: options.map((key) => ({
      ...{ key, category: kinds[goods[key].form] },
      options: [
        {
          ...{ key, priceCents: goods[key].priceCents },
          content: goods[key].form === 'flower' ? String(goods[key].mg / 1000) : String(goods[key].mg),
        },
      ],
      stock: [{ option: key, amount: '1000000' }],
    })),
  });
  const owner = await service.staff(shop, 'owner');
  const ok = async (method: string, path: string, body: object) => {
    const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
    expect(error).toBeUndefined();
    return data;
  };
  for (const key of options) {
    const path = `products/${shop.productId(key)}/options`;
    const { form } = goods[key];
    const facts = form === 'edible' ? {} : { thcPercent: form === 'flower' ? '20' : '80' };
    await ok('PUT', path, { options: [{ id: shop.optionId(key), ...facts }] });
  }
  if (state !== 'AK') await ok('POST', 'taxes/apply-preset', {});
  if (state === 'IL') await ok('PUT', 'duties', { saleHours: null, overrides: [], idCheck: true });
  const person = async (birthday: string, residence: string | null, cardUntil: string | null) => {
    const body = { firstName: 'Ada', lastName: `Quill ${birthday}`, birthday, residence };
    const { id } = await ok('POST', 'customers', { ...body, medicalExpiration: cardUntil });
    return { id, birthday, residence, cardUntil } as Person;
  };
  const people = [
    // A patient of 14 years, and who buys for them.
    await person('2012-05-06', 'IL', '2026-12-31'),
    await person('1980-01-02', 'IL', null),
    await person('1975-03-04', 'IL', null),
    await person('1990-07-08', 'WI', null),
    await person('1991-09-10', null, null),
    await person('1988-11-12', 'IL', '2026-09-30'),
    // Patients of 19, and adults who become 21 within the year.
    await person('2007-01-15', 'IL', '2027-01-31'),
    await person('2005-08-20', 'IL', null),
  ];
  return { state, tz: zones[state], shop, people, caregiverUntil: null, sales: [], netCents: 0, taxCents: 0 };
}
