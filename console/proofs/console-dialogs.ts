import type { Locator, Page } from 'playwright-core';

/** Opens a dialog by its visible names; returns the element that gets the focus back when it closes. */
type OpenDialog = (page: Page) => Promise<Locator | undefined>;

/** By name; opened one after another. */
type Dialogs = Readonly<Record<string, OpenDialog>>;

const searchOfCounter = (page: Page): Locator => page.getByRole('combobox', { name: /scan a UPC/ });

const key =
  (name: string): OpenDialog =>
  async (page) => {
    await page.keyboard.press(name);
    return undefined;
  };

const keyOfCounter =
  (name: string): OpenDialog =>
  async (page) => {
    await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
    await page.keyboard.press(name);
    return searchOfCounter(page);
  };

const press = async (button: Locator): Promise<Locator> => {
  await button.focus();
  await button.press('Enter');
  return button;
};

const button =
  (name: string): OpenDialog =>
  (page) =>
    press(page.getByRole('main').getByRole('button', { name, exact: true }).first());

/** An item of the first menu with this name. */
const menu =
  (opener: RegExp, item: string | RegExp): OpenDialog =>
  async (page) => {
    const opened = await press(page.getByRole('button', { name: opener }).first());
    await page.getByRole('menuitem', { name: item, exact: typeof item === 'string' }).press('Enter');
    return opened;
  };

const tab =
  (name: RegExp, then: OpenDialog): OpenDialog =>
  async (page) => {
    await page.getByRole('tab', { name }).click();
    return then(page);
  };

const firstRow: OpenDialog = (page) => press(page.locator('tbody tr[data-index="0"]').first());

const more = /^More for/;
const actions = /^Actions for Messages$/;

/**
 * The dialogs of the screens, by a route whose address console-screens.ts knows. Of identical dialogs (such as deletions) only
 * some are listed.
 */
export const dialogsByRoute: Readonly<Record<string, Dialogs>> = {
  '/orders': {
    shortcuts: key('?'),
    'go-to': key('Control+k'),
    password: menu(/your menu$/, 'Change password'),
  },
  '/orders/:draftId': {
    accept: button('Accept'),
    edit: button('Edit'),
    cancel: menu(/^More actions$/, /^Cancel/),
  },
  '/orders/:packedId': { fulfill: button('Take payment') },
  '/orders/:orderId': { return: button('Return goods') },
  '/point-of-sale': {
    customer: async (page) => {
      await page.getByRole('option').first().click();
      return keyOfCounter('F2')(page);
    },
    discounts: keyOfCounter('F4'),
    parked: keyOfCounter('F8'),
    pay: keyOfCounter('F9'),
  },
  '/queue': { 'check-in': button('Check in'), leave: menu(more, /^Remove/) },
  '/catalog/brands': {
    new: button('New brand'),
    edit: menu(more, 'Edit'),
    merge: menu(more, /^Merge/),
    delete: menu(more, 'Delete'),
  },
  '/catalog/categories': { new: button('New category'), 'new-sub-category': button('New sub-category') },
  '/catalog/tags': { edit: firstRow },
  '/catalog/products/:productId': {
    delete: button('Delete product'),
    'alternative-text': button('Alternative text of photo 1'),
    'option-photos': (page) => press(page.getByRole('button', { name: /^Photos of / }).first()),
  },
  '/inventory': {
    adjust: button('Adjust'),
    'adjust-one': menu(more, 'Adjust'),
    count: menu(more, 'Count'),
    move: menu(more, 'Move'),
  },
  '/inventory/packages': { new: button('New package') },
  '/inventory/packages/:packageId': {
    receive: button('Receive'),
    finish: button('Finish'),
    void: button('Void'),
  },
  '/inventory/locations': { new: button('New location'), archive: menu(more, 'Archive') },
  '/purchasing/new': { vendor: button('New') },
  '/purchasing/vendors': { edit: firstRow },
  '/purchasing/:purchaseOrderId': { payment: button('Record payment'), close: button('Close') },
  '/customers': { new: button('New customer') },
  '/customers/:customerId': {
    merge: menu(/^More$/, /^Merge/),
    erase: menu(/^More$/, /^Erase/),
    points: tab(/^Points and credits/, button('Adjust')),
    credit: tab(/^Points and credits/, button('Add credit')),
  },
  '/customers/:documentedId': {
    document: tab(/^Documents/, (page) =>
      press(page.getByRole('region', { name: 'Documents' }).locator('tbody tr[data-index="0"]')),
    ),
  },
  '/marketing/loyalty': { new: button('New reward'), end: menu(more, /^End/) },
  '/marketing/groups': { new: button('New group') },
  '/integrations/keys': {
    issue: button('Issue key'),
    rotate: menu(actions, 'Rotate'),
    revoke: menu(actions, 'Revoke'),
  },
  '/integrations/webhooks': { new: button('New endpoint') },
  '/integrations/webhooks/:webhookEndpointId': {
    delivery: firstRow,
    edit: menu(/^Actions for/, 'Edit'),
    since: menu(/^Actions for/, 'Send events again'),
    rotate: menu(/^Actions for/, 'Rotate secret'),
    delete: menu(/^Actions for/, 'Delete'),
  },
  '/integrations/requests': { request: firstRow },
  '/settings/taxes': {
    new: button('Add tax'),
    preset: button('State preset'),
    edit: firstRow,
    patients: menu(/^Actions for/, 'Decide on patients'),
  },
  '/settings/delivery-zones': { new: button('Add zone'), edit: firstRow },
  '/settings/time-slots': { new: button('New time slot') },
  '/settings/closed-days': { new: button('New closed day') },
  '/settings/payment-types': { new: button('Add payment type') },
  '/settings/purchase-limits': { new: button('Add limit') },
  '/settings/staff': {
    invite: button('Invite'),
    edit: firstRow,
    disable: menu(/^Actions for /, 'Disable'),
  },
  '/settings/audit-log': { entry: firstRow },
  '/account': { 'set-up': button('Set up') },
};
