import { cents, type ExportProfile, rule } from './profile-rules.ts';

const unitCost = rule('unitCost', 'dollars');
const expirationDate = rule('expirationDate', 'any-date');

/** Stock with the tags of the state. Menus of other systems know neither. */
export const packageProfiles: readonly ExportProfile[] = [
  {
    name: 'inventory-valuation',
    kind: 'packages',
    knownBy: ['Product Type', 'Packed & Ready', 'Potential Gross Sales'],
    columns: {
      // Its name until December 2025.
      'Ext Batch ID': 'tag',
      'State Tracking ID': 'tag',
      'Product Name': 'productName',
      Brand: 'brandName',
      Size: 'size',
      'External ID': 'sku',
      Location: 'location',
      Available: 'quantity',
      Reserved: 'reserved',
      'Packed & Ready': 'packed',
      'Unit Cost': unitCost,
      'Expiration Date': expirationDate,
    },
    leaveOut: [{ column: 'State Tracking ID', when: [''] }],
  },
  {
    name: 'stock-by-room',
    kind: 'packages',
    knownBy: ['Package Barcode', 'Qty On Hand', 'Room'],
    columns: {
      'Package Barcode': 'tag',
      'Product Name': 'productName',
      Brand: 'brandName',
      Size: 'size',
      Room: 'location',
      'Qty On Hand': 'quantity',
      'Wholesale Cost': unitCost,
    },
    // A row that sums a product up has a short code and no name.
    leaveOut: [{ column: 'Product Name', when: [''] }],
  },
  {
    name: 'state-package-list',
    kind: 'packages',
    knownBy: ['Package Tag', 'Current Quantity', 'Item Category Type'],
    columns: {
      'Package Tag': 'tag',
      Item: 'productName',
      Location: 'location',
      'Current Quantity': 'quantity',
      'Unit of Measure': 'unit',
    },
    leaveOut: [{ column: 'Is Active?', when: ['false', 'no'] }],
  },
  {
    name: 'filed-inventory',
    kind: 'packages',
    knownBy: ['ExternalIdentifier', 'QuantityOnHand', 'InitialQuantity'],
    columns: {
      ExternalIdentifier: 'tag',
      Product: 'productName',
      Area: 'location',
      QuantityOnHand: 'quantity',
    },
    leaveOut: [{ column: 'Operation', when: ['delete'] }],
  },
  {
    name: 'packages-with-allocations',
    kind: 'packages',
    knownBy: ['packageId', 'quantityAvailable', 'allocatedQuantity'],
    columns: {
      packageId: 'tag',
      productName: 'productName',
      sku: 'sku',
      quantityAvailable: 'quantity',
      allocatedQuantity: 'reserved',
      unitCost,
      expirationDate,
    },
  },
  {
    name: 'packages-with-tiers',
    kind: 'packages',
    knownBy: ['regulatoryId', 'costInMinorUnits', 'quantity'],
    columns: {
      regulatoryId: 'tag',
      productName: 'productName',
      brand: 'brandName',
      variantName: 'size',
      sku: 'sku',
      roomName: 'location',
      quantity: 'quantity',
      costInMinorUnits: rule('unitCost', 'cents-to-dollars'),
      expirationDate,
    },
  },
];

export const vendorProfiles: readonly ExportProfile[] = [
  {
    name: 'inventory-valuation',
    kind: 'vendors',
    knownBy: ['Distributor', 'Packed & Ready', 'Potential Gross Sales'],
    columns: { Distributor: 'name' },
    leaveOut: [{ column: 'Distributor', when: ['', 'n/a'] }],
  },
  {
    name: 'stock-by-room',
    kind: 'vendors',
    knownBy: ['Package Barcode', 'Distributor'],
    columns: { Distributor: 'name' },
    leaveOut: [{ column: 'Distributor', when: [''] }],
  },
  {
    name: 'incoming-transfers',
    kind: 'vendors',
    knownBy: ['Manifest #', 'Shipper Name', 'Recipient Name'],
    columns: { 'Shipper Name': 'name' },
  },
  {
    name: 'packages-with-tiers',
    kind: 'vendors',
    knownBy: ['regulatoryId', 'supplierName'],
    columns: { supplierName: 'name' },
    leaveOut: [{ column: 'supplierName', when: [''] }],
  },
];

/** No export has the whole rule of a discount: what was used says what to set up. */
export const discountProfiles: readonly ExportProfile[] = [
  {
    name: 'promotion-uses',
    kind: 'discounts',
    knownBy: ['Promo/Reward Name', 'Code Used', 'Cash Value'],
    columns: { 'Promo/Reward Name': 'name', 'Code Used': 'code', 'Cash Value': cents('amount') },
    leaveOut: [{ column: 'Promo/Reward Name', when: [''] }],
  },
];

/** The totals of closed days, before the move. */
export const closingProfiles: readonly ExportProfile[] = [
  {
    name: 'daily-payments',
    kind: 'closings',
    knownBy: ['Transaction Date', 'Total Price', 'Total Tax', 'Sum Total Loyalty Paid'],
    columns: {
      'Transaction Date': rule('day', 'any-date'),
      'Total Price': cents('gross'),
      Amount: cents('discount'),
      'Total Tax': cents('tax'),
    },
    leaveOut: [{ column: 'Transaction Date', when: ['', 'total'] }],
  },
];

/** The state's own list, which stock is compared with. */
export const stateProfiles: readonly ExportProfile[] = [
  {
    name: 'state-package-list',
    kind: 'state',
    knownBy: ['Package Tag', 'Current Quantity'],
    columns: { 'Package Tag': 'tag', 'Current Quantity': 'quantity' },
    leaveOut: [{ column: 'Is Active?', when: ['false', 'no'] }],
  },
  {
    name: 'state-grid',
    kind: 'state',
    knownBy: ['Label', 'Quantity'],
    columns: { Label: 'tag', Quantity: 'quantity' },
  },
  {
    name: 'filed-inventory',
    kind: 'state',
    knownBy: ['ExternalIdentifier', 'QuantityOnHand'],
    columns: { ExternalIdentifier: 'tag', QuantityOnHand: 'quantity' },
    leaveOut: [{ column: 'Operation', when: ['delete'] }],
  },
];
