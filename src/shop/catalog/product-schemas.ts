import Type, { type Static } from 'typebox';
import { contentDecimalsMax } from '../../engines/goods/measured-text.ts';
import {
  Cents,
  CheckedLater,
  DecimalNumber,
  DecimalText,
  Described,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { ProductCategory } from './category-routes.ts';
import { optionPotency } from './option-potency.ts';
import { AltText, optionPhotos, SentPhotos, WebAddress } from './photo-schemas.ts';

/** Shapes of products in requests and responses. */

const listMax = 100_000;
const stamps = { createdAt: Timestamp(), updatedAt: Timestamp() };

export const strainTypes = [
  'sativa',
  'indica',
  'hybrid',
  'hybrid-sativa',
  'hybrid-indica',
  'cbd',
  'mixed',
  'none',
] as const;
const productUnits = ['gram', 'item'] as const;
export const inventoryTypes = ['option', 'product', 'none'] as const;

export const Brand = Named(
  'Brand',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    ...stamps,
    description: Nullable(Text({ max: 10_000 })),
  }),
);

const ProductSubCategory = Named(
  'ProductSubCategory',
  Type.Object({ id: Id(), organizationId: Id(), name: Text({ max: 200 }), ...stamps }),
);

/** The fields of a product in every response; photos and options differ from page to page. */
export const productFields = {
  id: Id(),
  organizationId: Id(),
  name: Text({ max: 500, description: 'Without the brand' }),
  description: Text({ max: 20_000, description: 'Markdown' }),
  unit: OneOf(productUnits, { description: 'Unit of the amount' }),
  strainType: OneOf(strainTypes, { description: 'Kind of strain; `none` for goods without one' }),
  brand: Described('The brand; null: none', Nullable(Brand)),
  subCategories: List(ProductSubCategory, { description: 'The sub-categories', max: listMax }),
  primaryCategory: Described('The category', ProductCategory),
  inventoryType: OneOf(inventoryTypes, {
    description: 'Whether stock is kept for each option, for the whole product, or not',
  }),
  isActive: Flag({ description: 'Whether the menu shows it' }),
  isFeatured: Flag({ description: 'Whether the shop features the product' }),
  isCompliant: Flag({ description: 'Whether the product may be sold' }),
  weightTolerance: Nullable(
    DecimalText({
      description:
        'Sold loose, by weight: so many grams above a size cost nothing more; null: sold by the piece',
    }),
  ),
  thcAmount: Nullable(DecimalText({ description: 'THC in all, as a decimal in `thcUnit`' })),
  thcAmountEach: Nullable(DecimalText({ description: 'THC of each piece' })),
  thcAmountRangeLow: Nullable(DecimalText({ description: 'THC at least' })),
  thcAmountRangeHigh: Nullable(DecimalText({ description: 'THC at most' })),
  thcUnit: Nullable(OneOf(['%', 'mg'], { description: 'Unit of THC' })),
  cbdAmount: Nullable(DecimalText({ description: 'CBD in all, as a decimal in `cbdUnit`' })),
  cbdAmountEach: Nullable(DecimalText({ description: 'CBD of each piece' })),
  cbdAmountRangeLow: Nullable(DecimalText({ description: 'CBD at least' })),
  cbdAmountRangeHigh: Nullable(DecimalText({ description: 'CBD at most' })),
  cbdUnit: Nullable(OneOf(['%', 'mg'], { description: 'Unit of CBD' })),
  strain: Nullable(Text({ max: 200, description: 'Name of the strain' })),
  sku: Nullable(Text({ max: 100, description: 'Number of the product in the shop' })),
  terpenes: List(
    Named(
      'Terpene',
      Type.Object({
        name: Text({ max: 100 }),
        percent: Nullable(DecimalText({ description: 'Share of the weight; null: not measured' })),
      }),
    ),
    { max: 100, description: 'In the order in which the shop lists them' },
  ),
  effects: List(Text({ max: 100 }), { max: 100, description: 'What customers report, in words' }),
  flavours: List(Text({ max: 100 }), { max: 100, description: 'What it tastes of' }),
  labResults: List(
    Named(
      'LabResult',
      Type.Object({
        lab: Text({ max: 200, description: 'Who tested' }),
        date: Nullable(LocalDate({ description: 'Day of the result' })),
        certificateUrl: Nullable(Text({ max: 2000, description: 'Address of the certificate' })),
      }),
    ),
    { max: 100, description: 'Tests of the product' },
  ),
  ...stamps,
};

export const optionFields = {
  id: Id(),
  name: Text({ max: 200, description: 'The name, or a label made of amount and unit' }),
  amount: DecimalNumber({
    description: 'Stock that one unit takes, in the unit of the product',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  price: Cents({ description: 'Cents for one unit, before discounts' }),
  salesPrice: Nullable(Cents({ description: 'Replaces `price` when set' })),
  upc: Nullable(Text({ description: 'Universal product code', max: 100 })),
  content: Nullable(
    DecimalText({
      decimalsMax: contentDecimalsMax,
      description: "In the unit of the category's `cannabisType`",
    }),
  ),
  ...optionPotency(''),
  ...stamps,
};

const shownOption = { ...optionFields, photos: optionPhotos };

export const Product = Named(
  'Product',
  Type.Object({
    ...productFields,
    deletedAt: Nullable(Timestamp()),
    photos: List(Text({ max: 2000 }), {
      max: 100,
      description: 'Addresses, in order: ours once a picture is stored here',
    }),
    photoAltTexts: List(AltText(), {
      max: 100,
      description: 'The alternative text of each photo, in the order of `photos`',
    }),
    options: List(Named('ProductOption', Type.Object(shownOption)), {
      description: 'The sizes in which it is sold',
      max: listMax,
    }),
  }),
);

/** A product in the list of staff. */
export const ListedProduct = Named(
  'ListedProduct',
  Type.Object({
    ...Product.properties,
    onHand: DecimalText({
      description:
        'Stock over all options, locations and packages: in the unit of a product whose stock is kept per product, else in packs',
    }),
  }),
);

const externalIdShown = Nullable(Text({ max: 200, description: 'Your id; null: none' }));

/** A product as the integrator sees it that has an id for it. */
export const ExternalProductReply = Named(
  'ExternalProduct',
  Type.Object({
    externalId: Text({ max: 200, description: 'Your id' }),
    ...Product.properties,
    options: List(
      Named('ExternalProductOption', Type.Object({ externalId: externalIdShown, ...shownOption })),
      { description: 'The sizes in which it is sold', max: listMax },
    ),
  }),
);

/** Why an entry of a batch was refused. */
export const BatchError = Named(
  'BatchError',
  Type.Object(
    {
      code: Text({ max: 100, description: 'Code of the refusal, as for a single product' }),
      message: Text({ max: 10_000, description: 'Names the field and the expected value' }),
      meta: Type.Optional(
        Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          additionalProperties: true,
          description: 'Facts of the refusal',
        }),
      ),
    },
    { description: 'Why it was refused; absent: it was saved' },
  ),
);

/** The results of a batch. */
export const BatchResults = Type.Object({
  results: List(
    Named(
      'BatchResult',
      Type.Object({
        externalId: Nullable(Text({ max: 200, description: 'Your id of the product; null: it was no text' })),
        id: Type.Optional(Id({ description: 'Id of the product; absent: it was refused' })),
        error: Type.Optional(Described('Why the product was refused; absent: it was saved', BatchError)),
      }),
    ),
    { max: 500, description: 'One for each product, in their order' },
  ),
});

// ---------------------------------------------------------------------------------------------------------
// Requests

/** The tables store prices up to $1 million. */
const priceCentsMax = 100_000_000;
const optionAmountMax = 1_000_000;
const optionsMax = 100;

/** A whole schema for "must not be here": the message says where to change it instead. */
function leftOut(instead: string) {
  return Type.Unsafe<never>({
    not: {},
    'x-expected': `left out: ${instead}`,
    description: `Refused: ${instead}`,
  });
}

const optional = <Fields extends Readonly<Record<string, Type.TSchema>>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as unknown as { readonly [Name in keyof Fields]: Type.TOptional<Fields[Name]> };

const Amount = () =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: optionAmountMax,
    description:
      'Above 0, at most 6 decimals. The stock that one purchase takes when stock is kept per product; otherwise it only describes the option',
    'x-expected': `a number above 0, at most ${optionAmountMax.toLocaleString('en-US')}, with at most 6 decimals`,
  });

const freeOptionFields = {
  name: Nullable(Text({ max: 200, description: 'If absent, menus show a label of amount and unit' })),
  salesPrice: Nullable(Cents({ max: priceCentsMax, description: 'At most `price`; replaces it' })),
  content: Nullable(
    DecimalText({
      sign: 'positive',
      // A fraction of an ounce in grams has more decimals than other amounts, and must not be rounded.
      decimalsMax: contentDecimalsMax,
      description: "In the unit of the category's `cannabisType`; required unless that is `none`",
    }),
  ),
  upc: Nullable(Text({ description: 'Universal product code', max: 100 })),
  ...optionPotency('. Taxes and limits by potency are made of it'),
  photos: SentPhotos(
    'The own photos of the option, in order. If absent, an option that is there keeps those that it has',
  ),
};

const NewOptionBody = Type.Object({
  amount: Amount(),
  price: Cents({ description: 'Cents for one unit, before discounts', max: priceCentsMax }),
  ...optional(freeOptionFields),
});

const OptionBody = Type.Object({
  id: Type.Optional(Id({ description: 'Id of the option to update; without it an option is created' })),
  ...optional({
    amount: Amount(),
    price: Cents({ description: 'Cents for one unit, before discounts', max: priceCentsMax }),
    ...freeOptionFields,
  }),
});

const potencyAmount = (description: string) => Nullable(DecimalText({ description }));
const potency = {
  thcAmount: potencyAmount('Total THC'),
  thcAmountEach: potencyAmount('THC per unit, for example per pre-roll in a pack'),
  thcAmountRangeLow: potencyAmount('Lower bound of THC'),
  thcAmountRangeHigh: potencyAmount('Upper bound of THC'),
  thcUnit: Nullable(OneOf(['%', 'mg'], { description: 'Required with any THC amount' })),
  cbdAmount: potencyAmount('Total CBD'),
  cbdAmountEach: potencyAmount('CBD per unit'),
  cbdAmountRangeLow: potencyAmount('Lower bound of CBD'),
  cbdAmountRangeHigh: potencyAmount('Upper bound of CBD'),
  cbdUnit: Nullable(OneOf(['%', 'mg'], { description: 'Required with any CBD amount' })),
};

/** The most terpenes, effects, flavours and lab results of a product. */
const detailsMax = 50;
const word = (description: string) => Text({ min: 1, max: 100, description });

const named = (description: string) => Text({ min: 1, max: 200, description });

const requiredFields = {
  name: Text({ min: 1, max: 500, description: 'Without the brand' }),
  unit: OneOf(productUnits, { description: '`gram` for goods sold by weight, otherwise `item`' }),
  strainType: OneOf(strainTypes, { description: 'Kind of strain; `none` for goods without one' }),
  category: named('Name of a category'),
  subCategories: List(named('Name of a sub-category; created if it is new'), {
    description: 'The sub-categories',
    max: 50,
  }),
  photos: SentPhotos(
    'Addresses of pictures, each alone or with an alternative text, in order; fetched in the background',
  ),
};

const optionalFields = {
  description: Text({ max: 20_000, description: 'Markdown' }),
  brandName: Nullable(
    Text({
      max: 200,
      description: 'Created if it is new; null, empty or Unbranded: a product without a brand',
    }),
  ),
  ...potency,
  strain: Nullable(Text({ max: 200, description: 'Name of the strain' })),
  sku: Nullable(Text({ max: 100, description: 'Number of the product in the shop' })),
  terpenes: List(
    Type.Object({
      name: word('Name of a terpene'),
      percent: Type.Optional(
        Nullable(
          DecimalText({
            wholeDigitsMax: 3,
            decimalsMax: 4,
            description: 'Share of the weight, at most 100; null: not measured',
          }),
        ),
      ),
    }),
    { max: detailsMax, description: 'In the order in which they are shown' },
  ),
  effects: List(word('A word'), { max: detailsMax, description: 'What customers report' }),
  flavours: List(word('A word'), { max: detailsMax, description: 'What it tastes of' }),
  labResults: List(
    Type.Object({
      lab: Text({ min: 1, max: 200, description: 'Who tested' }),
      date: Type.Optional(Nullable(LocalDate({ description: 'Day of the result' }))),
      certificateUrl: Type.Optional(Nullable(WebAddress({ description: 'Address of the certificate' }))),
    }),
    { max: detailsMax, description: 'Tests of the product' },
  ),
};

export const CreateProductBody = Type.Object({
  ...requiredFields,
  options: List(NewOptionBody, { description: 'The sizes in which it is sold', min: 1, max: optionsMax }),
  ...optional(optionalFields),
});

/** An id of the integrator: text that a path can carry. `.` and `..` would change the path. */
const ExternalId = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: String.raw`^(?!\.{1,2}$)[^\s\u0000-\u001f\u007f-\u009f\uD800-\uDFFF](?:[^\u0000-\u001f\u007f-\u009f\uD800-\uDFFF]*[^\s\u0000-\u001f\u007f-\u009f\uD800-\uDFFF])?$`,
    'x-expected':
      'text of 1 to 200 characters without control characters and outer spaces, other than . and ..',
    description,
  });

const SavedOptionBody = Type.Object({
  ...NewOptionBody.properties,
  externalId: Type.Optional(Nullable(ExternalId('Your id of the option'))),
});

/** A whole product: what is absent has no value. */
const savedFields = {
  id: Type.Optional(Id({ description: 'A product that is there and has no id of yours: it gets this one' })),
  ...CreateProductBody.properties,
  options: List(SavedOptionBody, {
    min: 1,
    max: optionsMax,
    description:
      'All options, in order. An option with your id is updated, also one without id that has the same name and amount; another one is new. What is left out is deleted: it must have no stock',
  }),
};

export const SaveProductBody = Type.Object(savedFields);

export const BatchProductBody = Named(
  'BatchProduct',
  Type.Object({ externalId: ExternalId('Your id of the product'), ...savedFields }),
);

/** The most products of a batch (D71). */
const batchMax = 500;

/** Each product is checked by itself, so that a bad one stops no other. */
export const SaveProductsBody = Type.Object({
  products: List(CheckedLater(BatchProductBody), {
    min: 1,
    max: batchMax,
    description: 'Each is checked by itself',
  }),
});

export const ExternalProductParams = Type.Object({ externalId: ExternalId('Your id of the product') });

export const UpdateProductBody = Type.Object({
  ...optional({
    ...requiredFields,
    ...optionalFields,
    inventoryType: OneOf(inventoryTypes, { description: 'Can change only while there is no stock' }),
    deletedAt: Nullable(
      Timestamp({ description: 'The current time: deletes the product, which must have no stock' }),
    ),
    options: leftOut('options change by PUT /api/v1/products/{productId}/options'),
    isActive: leftOut('staff put a product on the menu by PATCH /staff/v1/products/{productId}'),
    isFeatured: leftOut('staff feature a product by PATCH /staff/v1/products/{productId}'),
  }),
});

export const ReplaceOptionsBody = Type.Object({
  options: List(OptionBody, {
    min: 1,
    max: optionsMax,
    description: 'The full new set, in order: absent options are deleted',
  }),
});

export const SetUpcsBody = Type.Object({
  options: List(
    Type.Object({ id: Id(), upc: Nullable(Text({ description: 'Universal product code', max: 100 })) }),
    { description: 'The sizes in which it is sold', min: 1, max: optionsMax },
  ),
});

export const ProductParams = Type.Object({ productId: Id({ description: 'The product id' }) });

export type CreateProductRequest = Static<typeof CreateProductBody>;
export type SaveProductRequest = Static<typeof SaveProductBody>;
export type BatchProductRequest = Static<typeof BatchProductBody>;
export type UpdateProductRequest = Static<typeof UpdateProductBody>;
export type ReplaceOptionsRequest = Static<typeof ReplaceOptionsBody>;
export type SetUpcsRequest = Static<typeof SetUpcsBody>;
export type NewOption = Static<typeof NewOptionBody>;
export type OptionChange = Static<typeof OptionBody>;
