import type { StaffRight } from '../../../sdk/src/staff-rights.ts';
import { settingsPages } from '../screens/settings/settings-pages.ts';
import { roleHas, type StaffRole } from '../session/staff-role.ts';
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
  { title: 'Limits left', to: '/point-of-sale/limits', right: 'readLimitsLeft', words: 'purchase limits' },
  { title: 'Categories', to: '/catalog/categories', right: 'staffListProductCategories' },
  { title: 'Brands', to: '/catalog/brands', right: 'listBrands' },
  { title: 'Tags', to: '/catalog/tags', right: 'staffListTags' },
  { title: 'Imports', to: '/catalog/imports', right: 'staffListMenuImports', words: 'menu csv upload' },
  { title: 'Photos', to: '/catalog/photos', right: 'listPhotosNotStored', words: 'pictures' },
  { title: 'Stock ledger', to: '/inventory/ledger', right: 'listStockLedger', words: 'history of stock' },
  { title: 'Packages', to: '/inventory/packages', right: 'staffListPackages', words: 'labels metrc' },
  {
    title: 'Transfers',
    to: '/inventory/transfers',
    right: 'staffListComplianceTransfers',
    words: 'manifest',
  },
  { title: 'Locations', to: '/inventory/locations', right: 'listKeptInventoryLocations', words: 'vault' },
  { title: 'Vendors', to: '/purchasing/vendors', right: 'listInventoryVendors', words: 'suppliers' },
  { title: 'Loyalty', to: '/marketing/loyalty', right: 'getLoyaltyProgram', words: 'points rewards' },
  { title: 'Customer groups', to: '/marketing/groups', right: 'staffListCustomerGroups' },
  { title: 'Tax report', to: '/reports/taxes', right: 'getTaxReport' },
  { title: 'Inventory value', to: '/reports/inventory-value', right: 'getInventoryValueReport' },
  { title: 'Drawers', to: '/reports/drawers', right: 'listDrawerSessions', words: 'cash till' },
  { title: 'Client keys', to: '/integrations/keys', right: 'listClientKeys', words: 'api integrator' },
  { title: 'Webhooks', to: '/integrations/webhooks', right: 'staffListWebhookEndpoints', words: 'events' },
  { title: 'Requests', to: '/integrations/requests', right: 'listApiRequests', words: 'api log' },
];

const actions: readonly Place[] = [
  { title: 'New customer', to: '/customers?do=new', right: 'createCustomer', words: 'add' },
  { title: 'New product', to: '/catalog/products/new', right: 'staffCreateProduct', words: 'add' },
  { title: 'New category', to: '/catalog/categories?do=new', right: 'createProductCategory', words: 'add' },
  { title: 'New brand', to: '/catalog/brands?do=new', right: 'createBrand', words: 'add' },
  { title: 'Adjust stock', to: '/inventory?do=adjust', right: 'adjustStock', words: 'add' },
  { title: 'Count a location', to: '/inventory/count', right: 'countStock', words: 'inventory' },
  { title: 'New package', to: '/inventory/packages?do=new', right: 'createPackage', words: 'add' },
  {
    title: 'New location',
    to: '/inventory/locations?do=new',
    right: 'createInventoryLocation',
    words: 'add',
  },
  { title: 'New purchase order', to: '/purchasing/new', right: 'staffCreatePurchaseOrder', words: 'add buy' },
  { title: 'New discount', to: '/marketing/discounts/new', right: 'createDiscount', words: 'add promotion' },
  { title: 'Invite a colleague', to: '/settings/staff?do=new', right: 'inviteStaff', words: 'add employee' },
  { title: 'New register', to: '/settings/registers?do=new', right: 'createRegister', words: 'add till' },
  {
    title: 'Add a payment type',
    to: '/settings/payment-types?do=new',
    right: 'createPaymentType',
    words: 'new',
  },
  { title: 'Taxes of your state', to: '/settings/taxes?do=preset', right: 'applyTaxPreset', words: 'preset' },
  {
    title: 'Issue a client key',
    to: '/integrations/keys?do=new',
    right: 'createClientKey',
    words: 'new api',
  },
  { title: 'Your sign-in', to: '/account', right: 'getMe', words: 'password passkey second factor' },
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
    'Screens',
    sections.map(({ path, ...section }) => ({ ...section, to: path })),
  );
  if (wanted.length === 0) return own;
  const settings = settingsPages.map(({ path, ...page }) => ({ ...page, to: `/settings/${path}` }));
  return [...own, ...found('Screens', screens), ...found('Settings', settings), ...found('Actions', actions)];
}

/** Its operation and that of its section: a link into a closed section leads nowhere. */
function isOpenTo(role: StaffRole, { to, right }: Place): boolean {
  const section = sectionOf(to);
  return roleHas(role, right) && (section === undefined || roleHas(role, section.right));
}

function sectionOf(to: string) {
  return sections.find(({ path }) => to === path || to.startsWith(`${path}/`) || to.startsWith(`${path}?`));
}
