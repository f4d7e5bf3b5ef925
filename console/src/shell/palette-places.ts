import type { StaffRight } from '../../../sdk/src/staff-rights.ts';
import { settingsPages } from '../screens/settings/settings-pages.ts';
import { roleHas, type StaffRole } from '../session/staff-role.ts';
import { t } from '../words/words.ts';
import type { Find } from './palette-finds.ts';
import { sections } from './sections.ts';

/** A place of the console: a screen, a setting, or a dialog that does something. */
interface Place {
  readonly title: string;
  readonly to: string;
  /** The operation without which it is of no use. */
  readonly right: StaffRight;
  /** Other words for it, which people may type. */
  readonly words?: string;
}

const screens: readonly Place[] = [
  { title: t`Limits left`, to: '/point-of-sale/limits', right: 'readLimitsLeft', words: t`purchase limits` },
  { title: t`My trip`, to: '/my-trip', right: 'getMyTrip', words: t`driver deliveries` },
  { title: t`Categories`, to: '/catalog/categories', right: 'staffListProductCategories' },
  { title: t`Brands`, to: '/catalog/brands', right: 'listBrands' },
  { title: t`Tags`, to: '/catalog/tags', right: 'staffListTags' },
  { title: t`Imports`, to: '/catalog/imports', right: 'staffListMenuImports', words: t`menu csv upload` },
  { title: t`Photos`, to: '/catalog/photos', right: 'listPhotosNotStored', words: t`pictures` },
  { title: t`Stock ledger`, to: '/inventory/ledger', right: 'listStockLedger', words: t`history of stock` },
  { title: t`Packages`, to: '/inventory/packages', right: 'staffListPackages', words: t`labels metrc` },
  {
    title: t`Transfers`,
    to: '/inventory/transfers',
    right: 'staffListComplianceTransfers',
    words: t`manifest`,
  },
  { title: t`Locations`, to: '/inventory/locations', right: 'listKeptInventoryLocations', words: t`vault` },
  { title: t`Vendors`, to: '/purchasing/vendors', right: 'listInventoryVendors', words: t`suppliers` },
  {
    title: t`Possible duplicates`,
    to: '/customers/duplicates',
    right: 'listCustomerDuplicates',
    words: t`merge customers`,
  },
  { title: t`Loyalty`, to: '/marketing/loyalty', right: 'getLoyaltyProgram', words: t`points rewards` },
  { title: t`Customer groups`, to: '/marketing/groups', right: 'staffListCustomerGroups' },
  { title: t`Margins`, to: '/reports/margins', right: 'getSalesPartReport', words: t`cost vendor discount` },
  { title: t`Reports by email`, to: '/reports/mails', right: 'listReportMails' },
  { title: t`Tax report`, to: '/reports/taxes', right: 'getTaxReport' },
  { title: t`Inventory value`, to: '/reports/inventory-value', right: 'getInventoryValueReport' },
  { title: t`Drawers`, to: '/reports/drawers', right: 'listDrawerSessions', words: t`cash till` },
  { title: t`Gift cards`, to: '/gift-cards', right: 'findGiftCard', words: t`sell load balance` },
  { title: t`Money`, to: '/reports/money', right: 'listPaymentTasks', words: t`refunds payments` },
  { title: t`Client keys`, to: '/integrations/keys', right: 'listClientKeys', words: t`api integrator` },
  { title: t`Webhooks`, to: '/integrations/webhooks', right: 'staffListWebhookEndpoints', words: t`events` },
  { title: t`Requests`, to: '/integrations/requests', right: 'listApiRequests', words: t`api log` },
];

const actions: readonly Place[] = [
  { title: t`New customer`, to: '/customers?do=new', right: 'createCustomer', words: t`add` },
  { title: t`New product`, to: '/catalog/products/new', right: 'staffCreateProduct', words: t`add` },
  { title: t`New category`, to: '/catalog/categories?do=new', right: 'createProductCategory', words: t`add` },
  { title: t`New brand`, to: '/catalog/brands?do=new', right: 'createBrand', words: t`add` },
  { title: t`Adjust stock`, to: '/inventory?do=adjust', right: 'adjustStock', words: t`add` },
  { title: t`Count a location`, to: '/inventory/count', right: 'countStock', words: t`inventory` },
  { title: t`New package`, to: '/inventory/packages?do=new', right: 'createPackage', words: t`add` },
  {
    title: t`New location`,
    to: '/inventory/locations?do=new',
    right: 'createInventoryLocation',
    words: t`add`,
  },
  {
    title: t`New purchase order`,
    to: '/purchasing/new',
    right: 'staffCreatePurchaseOrder',
    words: t`add buy`,
  },
  {
    title: t`New discount`,
    to: '/marketing/discounts/new',
    right: 'createDiscount',
    words: t`add promotion`,
  },
  {
    title: t`Invite a colleague`,
    to: '/settings/staff?do=new',
    right: 'inviteStaff',
    words: t`add employee`,
  },
  { title: t`New register`, to: '/settings/registers?do=new', right: 'createRegister', words: t`add till` },
  {
    title: t`Add a payment type`,
    to: '/settings/payment-types?do=new',
    right: 'createPaymentType',
    words: t`new`,
  },
  {
    title: t`Taxes of your state`,
    to: '/settings/taxes?do=preset',
    right: 'applyTaxPreset',
    words: t`preset`,
  },
  {
    title: t`Issue a client key`,
    to: '/integrations/keys?do=new',
    right: 'createClientKey',
    words: t`new api`,
  },
  { title: t`Your sign-in`, to: '/account', right: 'getMe', words: t`password passkey second factor` },
];

/** The places of a role that the words name, in any order; without words, its sections alone. */
export function placesFor(role: StaffRole, text: string): readonly Find[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isNamed = ({ title, words = '' }: Place) => {
    const own = `${title} ${words}`.toLowerCase();
    return wanted.every((word) => own.includes(word));
  };
  const found = (group: string, places: readonly (Place & { readonly key?: string })[]): Find[] =>
    places
      .filter((place) => isOpenTo(role, place) && isNamed(place))
      .map(({ title, to, key }) => ({
        group,
        title,
        note: sectionOf(to)?.title === title ? '' : (sectionOf(to)?.title ?? ''),
        to,
        ...(key !== undefined && { keys: key }),
      }));
  const own = found(
    t`Screens`,
    sections.map(({ path, ...section }) => ({ ...section, to: path })),
  );
  if (wanted.length === 0) return own;
  const settings = settingsPages.map(({ path, ...page }) => ({ ...page, to: `/settings/${path}` }));
  return [
    ...own,
    ...found(t`Screens`, screens),
    ...found(t`Settings`, settings),
    ...found(t`Actions`, actions),
  ];
}

/** Its operation and that of its section: a link into a closed section leads nowhere. */
function isOpenTo(role: StaffRole, { to, right }: Place): boolean {
  const section = sectionOf(to);
  return roleHas(role, right) && (section === undefined || roleHas(role, section.right));
}

function sectionOf(to: string) {
  return sections.find(({ path }) => to === path || to.startsWith(`${path}/`) || to.startsWith(`${path}?`));
}
