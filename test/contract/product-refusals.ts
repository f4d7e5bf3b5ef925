import { randomUUID } from 'node:crypto';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { adjustStock } from '../../src/shop/inventory/stock.ts';
import { createTestIntegrator, createTestKeys, createTestShop, testOrigin } from '../harness/test-shop.ts';
import { collision } from './collision-refusals.ts';
import { makeExternal, nowhereId, validRequest } from './contract-world.ts';
import type { Refusal, Stage } from './refusal.ts';

/** Refusals of requests about products (D43–D45). */
export function productRefusals(endpointId: string): Refusal[] {
  switch (endpointId) {
    case 'createProduct':
      return [
        ...withBodies(endpointId, contentRefusals, (changes) => productBody(changes)),
        ...withBodies(endpointId, newProductRefusals, (changes) => productBody(changes)),
        collision(endpointId, 'products'),
      ];
    case 'updateProduct':
      return [
        ...withBodies(endpointId, contentRefusals, (changes) => changes),
        ...updateRefusals(endpointId),
        collision(endpointId, 'products'),
      ];
    case 'replaceProductOptions':
      return [...optionRefusals(endpointId, (id) => ({ id })), collision(endpointId, 'products')];
    case 'setProductOptionUpcs':
      return [
        ...optionRefusals(endpointId, (id) => ({ id, upc: '1' })).filter(
          ({ code }) => code !== 'NON_ZERO_INVENTORY' && code !== 'MISSING_PARAMS',
        ),
        collision(endpointId, 'products'),
      ];
    case 'saveProductByExternalId':
      return [
        ...withBodies(endpointId, contentRefusals, (changes) => productBody(changes)),
        ...withBodies(endpointId, newProductRefusals, (changes) => productBody(changes)),
        ...externalRefusals(endpointId),
        collision(endpointId, 'products'),
      ];
    case 'getProductByExternalId':
      return [
        {
          endpointId,
          code: 'PRODUCT_NOT_FOUND',
          when: 'another integrator has the id',
          arrange: async ({ service, home }, endpoint) => {
            const { keys } = await createTestKeys(
              service.context,
              home.shop.organizationId,
              await createTestIntegrator(service.context),
            );
            return { request: validRequest(endpoint, home), options: { keys } };
          },
          message: /^There is no such product\.$/,
        },
      ];
    default:
      return [];
  }
}

type Changes = Readonly<Record<string, unknown>>;
type Wrong = Omit<Refusal, 'endpointId' | 'arrange'> & { readonly changes: Changes };

const option = { amount: 1, price: 100, content: '1' };

/** For both bodies. */
const contentRefusals: readonly Wrong[] = [
  {
    code: 'PRODUCT_CATEGORY_NOT_FOUND',
    when: 'the category is unknown',
    changes: { category: 'Flowers', subCategories: ['Brand new'], brandName: 'Brand new' },
    message: /^category is not a category of the organization: /,
  },
  {
    code: 'MISSING_PARAMS',
    when: 'an amount of CBD has no unit',
    changes: { cbdAmountEach: '2.5' },
    message: /^Required but absent: cbdUnit\.$/,
    meta: { missing: ['cbdUnit'] },
  },
  {
    code: 'INVALID_PARAMS',
    when: 'an amount of CBD has the unit null',
    changes: { cbdAmountEach: '2.5', cbdUnit: null },
    message: /^cbdUnit must be one of %, mg/,
  },
  {
    code: 'INVALID_PARAMS',
    when: 'a range ends before it begins',
    changes: { cbdAmountRangeLow: '10', cbdAmountRangeHigh: '9', cbdUnit: 'mg' },
    message: /^cbdAmountRangeLow must be at most cbdAmountRangeHigh/,
  },
  {
    code: 'INVALID_PARAMS',
    when: 'the name is blank',
    changes: { name: ' \t ' },
    message: /^name must be text that is not blank/,
  },
  {
    code: 'INVALID_PARAMS',
    when: 'a photo is no web address',
    changes: { photos: ['javascript:alert(1)'] },
    message: /^photos\[0\] must be an http or https address/,
  },
];

const newProductRefusals: readonly Wrong[] = [
  {
    code: 'MISSING_PARAMS',
    when: 'an option of a category with cannabis has no content',
    changes: { options: [option, { amount: 1, price: 100 }] },
    message:
      /^Required but absent, as the category's cannabisType is non-concentrated: options\[1\]\.content/,
    meta: { missing: ['options[1].content'] },
  },
  {
    code: 'INVALID_PARAMS',
    when: 'a sale is dearer than the price',
    changes: { options: [{ ...option, salesPrice: 101 }] },
    message: /^options\[0\]\.salesPrice must be at most options\[0\]\.price/,
  },
  {
    code: 'INVALID_PARAMS',
    when: 'an amount has seven decimals',
    changes: { options: [{ ...option, amount: 0.1234567 }] },
    message: /^options\[0\]\.amount must be a number with at most 6 decimals/,
  },
];

function withBodies(
  endpointId: string,
  wrongs: readonly Wrong[],
  bodyOf: (changes: Changes) => Changes,
): Refusal[] {
  return wrongs.map(({ changes, ...refusal }) => ({
    endpointId,
    ...refusal,
    arrange: ({ home }, endpoint) => ({
      request: { ...validRequest(endpoint, home), body: bodyOf(changes) },
    }),
  }));
}

function externalRefusals(endpointId: string): Refusal[] {
  return [
    {
      endpointId,
      code: 'PRODUCT_NOT_FOUND',
      when: 'no product has the id',
      arrange: () => ({
        request: {
          ...{ params: { externalId: randomUUID() }, query: {} },
          body: productBody({ id: 999_999_999 }),
        },
      }),
      message: /^There is no such product\.$/,
    },
    {
      endpointId,
      code: 'INVALID_CHILD_RESOURCE',
      when: 'an option of another product has the id',
      arrange: ({ home }, endpoint) => ({
        request: {
          ...validRequest(endpoint, home),
          body: productBody({ options: [{ ...option, externalId: home.ids.optionExternalId }] }),
        },
      }),
      message: /^options\[0\]\.externalId must be new or that of an option of this product/,
    },
    {
      endpointId,
      code: 'PRODUCT_NOT_FOUND',
      when: 'the product that gets the id is of another organization',
      arrange: async ({ service }) => {
        const { productId } = await createTestShop(service.context);
        const params = { externalId: `product ${randomUUID()}` };
        return { request: { params, query: {}, body: productBody({ id: productId('Moonlit Grove') }) } };
      },
      message: /^There is no such product\.$/,
    },
    {
      endpointId,
      code: 'NON_ZERO_INVENTORY',
      when: 'an option with stock is left out',
      arrange: async ({ service, home }) => {
        const { productId: externalId, product } = await makeExternal(service, home.shop);
        await adjustStock(service.context, testOrigin, home.shop.organizationId, {
          productId: product.id,
          productOptionId: product.options[0].id,
          packageId: null,
          inventoryLocationId: home.shop.locationId('Storefront'),
          delta: '2',
          reason: 'Found behind the shelf',
          idempotencyKey: randomUUID(),
        });
        const body = productBody({ options: [{ ...option, amount: 2 }] });
        return { request: { params: { externalId }, query: {}, body } };
      },
      message: /^options: option \d+ has stock and must stay in the list/,
    },
  ];
}

function updateRefusals(endpointId: string): Refusal[] {
  const stocked = (body: Changes): Pick<Refusal, 'endpointId' | 'arrange'> => ({
    endpointId,
    arrange: ({ home }) => ({
      request: { params: { productId: home.shop.productId('Counter Jar') }, query: {}, body },
    }),
  });
  const deletedAt = ({ service }: Stage, laterMs: number) =>
    new Date(service.clock.now() + laterMs).toISOString();
  return [
    {
      ...stocked({ inventoryType: 'none' }),
      code: 'NON_ZERO_INVENTORY',
      when: 'the way of keeping stock changes while there is stock',
      message: /^inventoryType cannot change/,
    },
    {
      endpointId,
      code: 'NON_ZERO_INVENTORY',
      when: 'a product with stock is deleted',
      arrange: (stage) => ({
        request: {
          params: { productId: stage.home.shop.productId('Counter Jar') },
          query: {},
          body: { deletedAt: deletedAt(stage, 0) },
        },
      }),
      message: /^deletedAt: a product that has stock/,
    },
    ...[-86_400_001, 86_400_001].map(
      (laterMs): Refusal => ({
        endpointId,
        code: 'INVALID_PARAMS',
        when: `deletedAt is ${laterMs < 0 ? 'over' : 'in more than'} a day ${laterMs < 0 ? 'ago' : ''}`,
        arrange: (stage, endpoint) => ({
          request: { ...validRequest(endpoint, stage.home), body: { deletedAt: deletedAt(stage, laterMs) } },
        }),
        message: /^deletedAt must be the current time, within 24 hours/,
      }),
    ),
    {
      endpointId,
      code: 'INVALID_PARAMS',
      when: 'the new category asks for content that an option lacks',
      arrange: ({ home }) => ({
        request: {
          params: { productId: home.shop.productId('Rolling Tray') },
          query: {},
          body: { category: 'Edibles' },
        },
      }),
      message: /^category must fit the options/,
    },
    {
      endpointId,
      code: 'PRODUCT_NOT_FOUND',
      when: 'the product is deleted',
      arrange: async ({ service, witness }) => {
        const shop = await createTestShop(service.context);
        const productId = shop.productId('Rolling Tray');
        await witness.query(
          'update products set deleted_at = created_at where id = $1',
          [productId],
          shop.organizationId,
        );
        return { shop, request: { params: { productId }, query: {}, body: { name: 'Tray' } } };
      },
      message: /^There is no such product\.$/,
    },
  ];
}

function optionRefusals(endpointId: string, naming: (id: unknown) => Changes): Refusal[] {
  const ofGrove = (
    refusal: Omit<Refusal, 'endpointId' | 'arrange'>,
    options: (stage: Stage) => readonly Changes[],
  ): Refusal => ({
    endpointId,
    ...refusal,
    arrange: (stage) => ({
      request: {
        params: { productId: stage.home.shop.productId('Moonlit Grove') },
        query: {},
        body: { options: options(stage) },
      },
    }),
  });
  const kept = ({ home }: Stage) => ['eighth', 'quarter'].map((key) => naming(home.shop.optionId(key)));
  return [
    ofGrove(
      {
        code: 'PRODUCT_OPTION_NOT_FOUND',
        when: 'the third option names nothing, and the fourth another product',
        message: /^options\[2\]\.id names no option/,
      },
      (stage) => [...kept(stage), naming(nowhereId(1)), naming(stage.home.shop.optionId('gram'))],
    ),
    ofGrove(
      {
        code: 'INVALID_CHILD_RESOURCE',
        when: 'an option is of another product',
        message: /^options\[2\]\.id must name an option of this product/,
      },
      (stage) => [...kept(stage), naming(stage.home.shop.optionId('gram'))],
    ),
    ofGrove(
      {
        code: 'INVALID_PARAMS',
        when: 'an option is named twice',
        message: /^options\[2\]\.id must be unique/,
      },
      (stage) => [...kept(stage), kept(stage)[0]!],
    ),
    ofGrove(
      {
        code: 'NON_ZERO_INVENTORY',
        when: 'an option that has stock is left out',
        message: /^options: option \d+ has stock/,
      },
      (stage) => kept(stage).slice(0, 1),
    ),
    ofGrove(
      {
        code: 'MISSING_PARAMS',
        when: 'a new option lacks required fields',
        message: /^Required but absent: options\[2\]\.amount, options\[2\]\.price\.$/,
        meta: { missing: ['options[2].amount', 'options[2].price'] },
      },
      (stage) => [...kept(stage), { content: '1' }],
    ),
  ];
}
