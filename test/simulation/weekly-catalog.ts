import { expect } from 'vitest';
import { type SeededRandom, seededRandom } from '../../seed/seeded-random.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestReply, TestService } from '../harness/test-service.ts';
import { createTestShop, type TestShop } from '../harness/test-shop.ts';
import { brokenRules } from './trading-invariants.ts';
import type { TradingWorld } from './trading-world.ts';

/*
 * An integrator that keeps its catalog elsewhere and sends all of it once a week, to a shop of its own in the deployment of the
 * simulated one: its products and stock are no part of the predictions of that.
 */

interface SourceOption {
  readonly externalId: string;
  readonly amount: number;
  readonly upc: string;
  price: number;
  stock: number;
}

interface SourceProduct {
  readonly externalId: string;
  readonly options: readonly SourceOption[];
  name: string;
  brandName: string | null;
  /** The service's id, once it is known: it never changes. */
  id: number | null;
  isSold: boolean;
}

const productsAtFirst = 8;
const productsMax = 16;
const productsPerBatch = 5;
const unchangedChance = 0.25;
/** In batches of five products; a batch takes some twenty round trips. */
const crash = { chance: 0.3, roundTripsMax: 25 };
const brands = ['Quiet Acres', 'Lumen House', 'Third Wind', null];
const words = ['Amber', 'Cedar', 'Dusk', 'Fern', 'Opal', 'Sage'];

export class WeeklyCatalog {
  readonly random: SeededRandom;
  readonly #shop: TestShop;
  readonly #products: SourceProduct[] = [];
  syncs = 0;
  unchanged = 0;

  private constructor(seed: number, shop: TestShop) {
    // Of its own: what the other moves of a kept seed draw stays.
    this.random = seededRandom(`weekly catalog ${seed}`);
    this.#shop = shop;
  }

  static async open(service: TestService, seed: number): Promise<WeeklyCatalog> {
    const shop = await createTestShop(service.context, { products: [] });
    const owner = await service.staff(shop);
    const allowed = await owner.call('PATCH', '/staff/v1/organization', { integratorsSetStock: true });
    expect(allowed.status, allowed.text).toBe(200);
    const catalog = new WeeklyCatalog(seed, shop);
    for (let at = 0; at < productsAtFirst; at++) catalog.#add();
    return catalog;
  }

  /** Sends the whole catalog. Afterwards the service has what the source has; a week without changes writes nothing. */
  async sync(world: TradingWorld): Promise<void> {
    // The second week always, and others by chance.
    const isUnchanged = this.syncs === 1 || (this.syncs > 1 && this.random.chance(unchangedChance));
    if (!isUnchanged) this.#change();
    world.story.push(`the weekly catalog, ${isUnchanged ? 'as it was' : 'changed'}`);
    const before = isUnchanged ? await this.#written(world) : null;
    const sold = this.random.shuffle(this.#products.filter(({ isSold }) => isSold));
    const batches: SourceProduct[][] = [];
    for (let at = 0; at < sold.length; at += productsPerBatch) {
      batches.push(sold.slice(at, at + productsPerBatch));
    }
    for (const batch of batches) await this.#sendProducts(world, batch);
    // A client that lost an answer sends a batch once more.
    if (this.random.chance(0.3)) await this.#sendProducts(world, this.random.pick(batches));
    await this.#sendStock(world);
    await this.#retire(world);
    await this.expectEqual(world);
    if (before !== null) {
      expect(await this.#written(world)).toEqual(before);
      this.unchanged++;
    }
    this.syncs++;
  }

  /** The service has the products, options and stock of the source, each once. */
  async expectEqual(world: TradingWorld): Promise<void> {
    const { context } = world.service;
    const products = await tenantSql(
      context.database,
      this.#shop.organizationId,
      `select e.external_id, p.id, p.name, b.name as brand
         from products p
         left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
         left join product_external_ids e on e.organization_id = p.organization_id and e.product_id = p.id
        where p.deleted_at is null order by e.external_id`,
    );
    const expected = this.#products.filter(({ isSold }) => isSold);
    expect(products.map((row) => ({ ...row }))).toEqual(
      expected
        .map((it) => ({ external_id: it.externalId, id: it.id, name: it.name, brand: it.brandName }))
        .toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1)),
    );
    for (const product of expected) {
      const { data }: TestReply = await this.#ask(
        world,
        'GET',
        `/api/v1/products/by-external-id/${product.externalId}`,
      );
      const shown = data.options.map(({ externalId, amount, price, upc }: TestReply['data']) => ({
        ...{ externalId, amount, price, upc },
      }));
      expect([data.name, shown]).toEqual([
        product.name,
        product.options.map(({ stock: _, ...option }) => option),
      ]);
    }
    const stock = await tenantSql(
      context.database,
      this.#shop.organizationId,
      `select e.external_id, sum(s.on_hand)::float as on_hand
         from stock_balances s
         join product_option_external_ids e
           on e.organization_id = s.organization_id and e.product_option_id = s.product_option_id
        where s.on_hand <> 0 group by e.external_id`,
    );
    expect(new Map(stock.map((row) => [row.external_id, Number(row.on_hand)]))).toEqual(
      new Map(this.#options().flatMap((it) => (it.stock === 0 ? [] : [[it.externalId, it.stock]]))),
    );
    expect(await brokenRules(context.database, this.#shop.organizationId)).toEqual([]);
  }

  /** Prices, names, brands, new and retired products, and stock: some of each. */
  #change(): void {
    const { random } = this;
    const sold = this.#products.filter(({ isSold }) => isSold);
    for (const product of sold) {
      if (random.chance(0.15)) product.name = this.#name();
      if (random.chance(0.1)) product.brandName = random.pick(brands);
      for (const option of product.options) {
        if (random.chance(0.3)) option.price = random.integer(5, 90) * 100;
        if (random.chance(0.4)) option.stock = random.integer(0, 40);
      }
    }
    if (sold.length > 3 && random.chance(0.5)) {
      const retired = random.pick(sold);
      retired.isSold = false;
      // A product with stock is not deleted.
      for (const option of retired.options) option.stock = 0;
    }
    const added = random.integer(0, 2);
    for (let at = 0; at < added && sold.length + at < productsMax; at++) this.#add();
  }

  #add(): void {
    const { random } = this;
    const number = this.#products.length + 1;
    const amounts = random.pick([[1], [1, 3.5], [1, 3.5, 7]]);
    this.#products.push({
      externalId: `W${String(number).padStart(4, '0')}`,
      name: this.#name(),
      brandName: random.pick(brands),
      id: null,
      isSold: true,
      options: amounts.map((amount, at) => ({
        externalId: `W${String(number).padStart(4, '0')}-${at}`,
        amount,
        upc: String(870_000_000_000 + number * 10 + at),
        price: random.integer(5, 90) * 100,
        stock: random.integer(0, 40),
      })),
    });
  }

  /** Several products may have the same. */
  #name(): string {
    return `${this.random.pick(words)} ${this.random.pick(words)}`;
  }

  #options(): SourceOption[] {
    return this.#products.flatMap(({ options }) => options);
  }

  async #sendProducts(world: TradingWorld, batch: readonly SourceProduct[]): Promise<void> {
    const products = batch.map(({ externalId, name, brandName, options }) => ({
      ...{ externalId, name, ...(brandName !== null && { brandName }) },
      ...{
        description: '',
        unit: 'gram',
        strainType: 'hybrid',
        category: 'Flower',
        subCategories: [],
        photos: [],
      },
      options: options.map(({ stock: _, ...option }) => ({ ...option, content: String(option.amount) })),
    }));
    const { status, data, text } = await this.#surely(world, 'POST', '/api/v1/products/batch', { products });
    expect(status, text).toBe(200);
    for (const [at, result] of data.results.entries()) {
      const product = batch[at]!;
      expect(result, text).toEqual({ externalId: product.externalId, id: product.id ?? expect.any(Number) });
      product.id = result.id;
    }
  }

  async #sendStock(world: TradingWorld): Promise<void> {
    const inventoryLocationId = this.#shop.locationId('Storefront');
    const lines = this.#products
      .filter((product) => product.id !== null && !this.#isRetired.has(product))
      .flatMap(({ options }) => options)
      .map(({ externalId, stock }) => ({ externalId, inventoryLocationId, counted: String(stock) }));
    const body = { countedAt: new Date(world.nowMs).toISOString(), lines };
    const { status, data, text } = await this.#surely(world, 'PUT', '/api/v1/products/stock', body);
    expect(status, text).toBe(200);
    expect(data.results.filter(({ error }: TestReply['data']) => error !== undefined)).toEqual([]);
  }

  /** The products that the service has deleted. */
  readonly #isRetired = new Set<SourceProduct>();

  async #retire(world: TradingWorld): Promise<void> {
    const gone = this.#products.filter((product) => !product.isSold && !this.#isRetired.has(product));
    for (const product of gone) {
      this.#isRetired.add(product);
      if (product.id === null) continue;
      const deletedAt = new Date(world.nowMs).toISOString();
      const path = `/api/v1/products/${product.id}`;
      const { status, text, error } = await this.#surely(world, 'PUT', path, { deletedAt });
      // After a crash that lost the answer it is gone already.
      expect(status === 201 || error?.code === 'PRODUCT_NOT_FOUND', text).toBe(true);
      const byId = await this.#ask(world, 'GET', `/api/v1/products/by-external-id/${product.externalId}`);
      expect(byId.error?.code).toBe('PRODUCT_NOT_FOUND');
    }
  }

  /** What a write leaves. */
  async #written(world: TradingWorld) {
    const tables = ['audit_entries', 'outbox_events', 'stock_ledger_entries', 'products', 'product_options'];
    const [row] = await tenantSql(
      world.service.context.database,
      this.#shop.organizationId,
      `select ${tables.map((table) => `(select count(*)::integer from ${table}) as ${table}`).join(', ')},
              (select max(updated_at)::text from products) as products_changed_at`,
    );
    return { ...row };
  }

  #surely(world: TradingWorld, method: string, path: string, body: object): Promise<TestReply> {
    return world.surely(() => this.#ask(world, method, path, body), undefined, {
      ...crash,
      random: this.random,
    });
  }

  #ask(world: TradingWorld, method: string, path: string, body?: object): Promise<TestReply> {
    return world.service.call(method, path, { keys: this.#shop.keys, ...(body !== undefined && { body }) });
  }
}
