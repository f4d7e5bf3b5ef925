import { giveAway } from './give-away.ts';
import { michiganGoods } from './michigan/michigan-goods.ts';
import { michiganMakers } from './michigan/michigan-makers.ts';
import { michiganPromotions } from './michigan/michigan-promotions.ts';
import { michiganStrainLines } from './michigan/michigan-strain-lines.ts';
import { seededRandom } from './seeded-random.ts';
import { stockMenu } from './shelf.ts';
import type { BrandContent, ShopContent } from './shop-content.ts';
import { stockShelves } from './stocking.ts';
import { draftStrainLines } from './strain-forms.ts';

const slug = 'michigan';
const labName = 'Northshore Testing';
const random = seededRandom(slug);

const products = stockMenu(
  random.fork('menu'),
  { slug, upcPrefix: '10002', featuredCount: 8, inactiveCount: 3, saleCount: 7, labName },
  [...draftStrainLines(michiganStrainLines, michiganMakers), ...michiganGoods],
);

const stock = stockShelves(
  random.fork('stock'),
  {
    labelPrefix: '0DEM0MI00000',
    floorName: 'Sales Floor',
    vaultName: 'Back Vault',
    vehicleName: 'Delivery Van',
    labName,
    labLicense: 'AU-SC-000201',
    piecesByCategory: {
      Flower: 70,
      'Pre-Rolls': 70,
      Vapes: 50,
      Concentrates: 30,
      'Infused Edibles': 60,
      'Infused Topicals': 15,
      'Infused Drinks and Drops': 50,
      Clones: 14,
      Accessories: 20,
    },
    soldOutCount: 3,
    onHoldCount: 4,
    tradeSampleCount: 4,
    expiredCount: 3,
  },
  products,
  michiganMakers,
);

/** A medical and adult-use shop where most flower is weighed at the counter; prices without tax. */
export const michiganShop: ShopContent = {
  slug,
  organization: {
    name: 'Copper Heron Provisions',
    customerEmail: 'hello@copperheron.example.com',
    customerPhone: '+17345550100',
    hasDelivery: true,
    hasPickup: true,
    state: 'MI',
    licenseNumber: 'AU-R-000100',
    address: { street1: '88 Heron Street', street2: 'Ground floor', city: 'Ann Arbor', postalCode: '48104' },
    taxesIncluded: false,
    tz: 'US/Eastern',
    opensAtMinute: 10 * 60,
    closesAtMinute: 20 * 60,
    orderMinimumCents: { delivery: 4000, pickup: 0, 'in-store': 0 },
    statusOnCreate: { delivery: 'draft', pickup: 'new', 'in-store': 'new' },
    locationNames: {
      delivery: ['Delivery Van', 'Back Vault'],
      pickup: ['Sales Floor'],
      'in-store': ['Sales Floor'],
    },
    budtenderDiscountLimitPercent: '10',
    managerDiscountLimitPercent: '30',
  },
  staff: [
    {
      key: 'owner',
      role: 'owner',
      firstName: 'Ingrid',
      lastName: 'Vandermolen',
      email: 'ingrid@copperheron.example.com',
    },
    {
      key: 'manager',
      role: 'manager',
      firstName: 'Amari',
      lastName: 'Sokolov',
      email: 'amari@copperheron.example.com',
    },
    {
      key: 'budtender-1',
      role: 'budtender',
      firstName: 'Colm',
      lastName: 'Baptiste',
      email: 'colm@copperheron.example.com',
    },
    {
      key: 'budtender-2',
      role: 'budtender',
      firstName: 'Noor',
      lastName: 'Haverford',
      email: 'noor@copperheron.example.com',
    },
    {
      key: 'inventory-1',
      role: 'inventory',
      firstName: 'Tobias',
      lastName: 'Nakagawa',
      email: 'tobias@copperheron.example.com',
    },
    {
      key: 'driver-1',
      role: 'driver',
      firstName: 'Esme',
      lastName: 'Kowalczyk',
      email: 'esme@copperheron.example.com',
    },
    {
      key: 'driver-2',
      role: 'driver',
      firstName: 'Rafael',
      lastName: 'Ostrander',
      email: 'rafael@copperheron.example.com',
    },
  ],
  integrators: [
    { name: 'Windowbox Web Shop', description: 'The shop’s own website: menu, cart and checkout.' },
    { name: 'Lanternway Delivery', description: 'Delivery app for orders and routes.' },
    { name: 'Kindred Counter CRM', description: 'Messages and groups for returning customers.' },
  ],
  locations: [
    { name: 'Sales Floor', description: 'Counter jars and display cases.', type: 'standard' },
    { name: 'Back Vault', description: null, type: 'standard' },
    { name: 'Delivery Van', description: 'Leaves at eleven, two and five.', type: 'vehicle' },
  ],
  deliveryZones: [
    {
      name: 'Ann Arbor',
      postalCodes: ['48103', '48104', '48105', '48108', '48109'],
      postalCodePrefixes: [],
      minimumCents: 4000,
      feeCents: 400,
      feeDescription: 'Delivery in town',
    },
    {
      name: 'Ypsilanti',
      postalCodes: [],
      postalCodePrefixes: ['4819'],
      minimumCents: 6000,
      feeCents: 700,
      feeDescription: 'Delivery to the east side',
    },
  ],
  paymentTypes: [
    {
      name: 'Cash',
      method: 'cash',
      feeCents: 0,
      feePercent: '0',
      feeDescription: null,
      availableDelivery: true,
    },
    {
      name: 'Debit',
      method: 'debit',
      feeCents: 300,
      feePercent: '0',
      feeDescription: 'Debit terminal fee',
      availableDelivery: true,
    },
    {
      name: 'Pay by Bank',
      method: 'processor',
      feeCents: 0,
      feePercent: '1.25',
      feeDescription: 'Bank transfer fee',
      availableDelivery: true,
    },
    {
      name: 'House Gift Card',
      method: 'other',
      feeCents: 0,
      feePercent: '0',
      feeDescription: null,
      availableDelivery: false,
    },
  ],
  // R 205.141: sales tax is charged on the price including the excise; patients owe the sales tax only.
  taxes: [
    {
      description: 'Michigan marihuana excise tax',
      rate: '10',
      tier: '1',
      type: 'excise',
      included: false,
      encompass: false,
      exemptable: true,
      appliesToFees: false,
      rounding: 'half-up',
      excludedCategoryNames: ['Accessories'],
      nonExemptableCategoryNames: [],
    },
    {
      description: 'Michigan sales tax',
      rate: '6',
      tier: '2',
      type: 'standard',
      included: false,
      encompass: true,
      exemptable: false,
      appliesToFees: false,
      rounding: 'half-up',
      excludedCategoryNames: [],
      nonExemptableCategoryNames: [],
    },
  ],
  categories: [
    { name: 'Flower', cannabisType: 'non-concentrated' },
    { name: 'Pre-Rolls', cannabisType: 'non-concentrated' },
    { name: 'Vapes', cannabisType: 'concentrated' },
    { name: 'Concentrates', cannabisType: 'concentrated' },
    { name: 'Infused Edibles', cannabisType: 'mi-infused-solids' },
    { name: 'Infused Topicals', cannabisType: 'mi-infused-solids' },
    { name: 'Infused Drinks and Drops', cannabisType: 'mi-infused-fluids' },
    { name: 'Clones', cannabisType: 'immature-plant' },
    { name: 'Accessories', cannabisType: 'none' },
  ],
  subCategoryNames: [...new Set(products.flatMap(({ subCategoryNames }) => subCategoryNames))].sort(),
  brands: michiganMakers.map(
    ({ name, description, producerLicense }): BrandContent => ({
      name,
      description,
      producerLicense,
    }),
  ),
  tags: [
    { name: 'Everyday Value', description: 'Good things at a friendly price.' },
    { name: 'Greenhouse', description: 'Grown under glass on the northern lakes.' },
    { name: 'Top Shelf', description: 'The best of what we carry.' },
    { name: 'Patient Favorite', description: 'What our card holders ask for.' },
    { name: 'CBD-Rich', description: null },
    { name: 'Low Dose', description: '5 mg of THC or less per piece.' },
    { name: 'Vegan', description: null },
    { name: 'Gift Ideas', description: 'Easy to wrap.' },
    // Empty outside the season: a tag can have no products.
    { name: 'Summer Camp', description: 'Back in June.' },
  ],
  customerGroups: [
    { name: 'Veterans', description: 'Served in the armed forces; identification seen.' },
    { name: 'Seniors', description: '60 years and older.' },
    { name: 'Industry', description: 'Works at a licensed cannabis business.' },
    { name: 'First Responders', description: 'Fire, ambulance and hospital staff.' },
  ],
  promotions: michiganPromotions,
  products: [...products, giveAway(slug)],
  ...stock,
  neighborhood: {
    areaCodes: ['734', '313', '248', '517', '586', '810', '989', '269', '231', '906'],
    places: [
      { city: 'Ann Arbor', postalCode: '48103', weight: 16 },
      { city: 'Ann Arbor', postalCode: '48104', weight: 15 },
      { city: 'Ann Arbor', postalCode: '48105', weight: 12 },
      { city: 'Ann Arbor', postalCode: '48108', weight: 11 },
      { city: 'Ypsilanti', postalCode: '48197', weight: 14 },
      { city: 'Ypsilanti', postalCode: '48198', weight: 12 },
      // Outside every delivery zone.
      { city: 'Saline', postalCode: '48176', weight: 5 },
      { city: 'Chelsea', postalCode: '48118', weight: 4 },
      { city: 'Jackson', postalCode: '49201', weight: 4 },
      { city: 'Detroit', postalCode: '48201', weight: 3 },
    ],
    minimumAge: 21,
    medicalMinimumAge: 18,
  },
};
