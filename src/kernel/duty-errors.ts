import { type CatalogEntry, metaShape } from './error-entry.ts';

/** The meta of a broken duty. */
const dutyMeta = (duty: string, citation: string | null) =>
  metaShape(
    '{duty, citation}',
    { duty, citation },
    {
      duty: { type: 'string', description: 'The duty that would be broken' },
      citation: { type: ['string', 'null'], description: "The law; null: the shop's own rule" },
    },
  );

/** The law of the state bars what is asked. */
export const dutyErrors = {
  OUTSIDE_SALE_HOURS: {
    status: 422,
    when: 'Cannabis would be sold or handed over outside of the hours that the law of the state, or the shop, allows.',
    remedy: 'Sell within the hours of the message. An order for later can be placed at any time.',
    meta: dutyMeta('saleHours', '4 CCR 15403'),
  },
  PATIENTS_ONLY_PRODUCT: {
    status: 422,
    when: 'The law of the state lets only patients have a product of the cart, or the product does not state the content that decides it.',
    remedy: 'Remove the product, or state its content in the catalog.',
    meta: dutyMeta('patientsOnlyProducts', 'COMAR 14.17.13.03'),
  },
  DELIVERY_NOT_ALLOWED: {
    status: 422,
    when: 'The law of the state allows no delivery of cannabis, or none to this buyer.',
    remedy: 'Offer pickup.',
    meta: dutyMeta('delivery', 'ARM 42.39.413'),
  },
  VEHICLE_VALUE_EXCEEDED: {
    status: 422,
    when: 'The cannabis of the delivery is worth more than the law of the state lets a vehicle carry.',
    remedy: 'Deliver it in parts.',
    meta: dutyMeta('delivery', '4 CCR 15418'),
  },
  BUYER_REQUIRED: {
    status: 422,
    when: 'A purchase limit counts a day or longer, and the order names no buyer: an email, a phone or a profile.',
    remedy: 'Name the buyer. An owner can say how the shop holds walk-ins to the limit otherwise.',
    meta: dutyMeta('buyer', null),
  },
  CAREGIVER_NOT_REGISTERED: {
    status: 422,
    when: 'A caregiver buys for a customer who is not among their patients, whose card has expired, or for whom they could buy until a day that has passed.',
    remedy: "Keep the patient in the caregiver's profile, as the state has registered them.",
  },
  ID_CHECK_REQUIRED: {
    status: 422,
    when: 'The law of the state, or the shop, asks for an ID before cannabis is paid or handed over, and no member of staff has said that they saw one.',
    remedy: 'See the ID of who takes the goods, and send `idCheck`.',
    meta: dutyMeta('idCheck', null),
  },
  PRODUCT_FACT_MISSING: {
    status: 422,
    when: 'A tax or a purchase limit needs a fact of a product that the catalog does not state: its THC in percent or milligrams, or its weight.',
    remedy:
      "State it with the product's option. `GET /staff/v1/products/lacking-facts` lists all that lack one.",
    meta: dutyMeta('productFacts', null),
  },
  DISCOUNT_NOT_ALLOWED_BY_LAW: {
    status: 422,
    when: 'The law of the state bars the discount, or the reward, on cannabis for this buyer, or altogether.',
    remedy: 'Remove it, or give it on other goods.',
    meta: metaShape(
      '{citation}',
      { citation: '935 CMR 500.105(4)(b)20' },
      { citation: { type: 'string', description: 'The law' } },
    ),
  },
  ID_COPY_NOT_ALLOWED: {
    status: 422,
    when: 'The law of the state lets no shop keep a copy of an ID.',
    remedy: 'See the ID, and keep no copy of it.',
    meta: metaShape(
      '{citation}',
      { citation: 'N.J.A.C. 17:30-14.3(b)' },
      { citation: { type: 'string', description: 'The law' } },
    ),
  },
  RETURN_NOT_ALLOWED: {
    status: 422,
    when: 'The law of the state bars returns of cannabis.',
    remedy: 'Return other goods alone.',
    meta: metaShape(
      '{citation}',
      { citation: '4 CCR 15410' },
      { citation: { type: 'string', description: 'The law' } },
    ),
  },
} as const satisfies Readonly<Record<string, CatalogEntry>>;
