/**
 * Words that come from the service: values of enumerations and names of fields, as `sentence` writes them. `said` shows them in the
 * page's language; others stay as the service names them.
 */
export const serviceWords: readonly string[] = [
  // Roles, and subjects of events and of the audit log.
  ...['Owner', 'Manager', 'Budtender', 'Inventory'],
  // Types and statuses of orders.
  ...['Delivery', 'Pickup', 'In-store', 'Draft', 'New', 'Packed', 'Fulfilled', 'Canceled'],
  ...['Created', 'Accepted', 'Edited', 'Reopened', 'Assigned', 'Unassigned', 'Active', 'Completed'],
  ...['Payment type', 'Store-credit', 'Store credit', 'None', 'Returned', 'Return voided', 'Dispatched'],
  ...['Updated', 'Receipt mailed', 'Repriced'],
  // States of other records.
  ...[
    'Open',
    'Closed',
    'Inactive',
    'Ended',
    'Archived',
    'Disabled',
    'Invited',
    'Pending',
    'Approved',
    'Rejected',
    'Expired',
  ],
  ...[
    'Revoked',
    'Superseded',
    'Medical',
    'Tax exempt',
    'Voided',
    'Off',
    'On',
    'Delivered',
    'Failed',
    'Live',
    'Coming',
  ],
  ...['Sent', 'Waiting', 'Held', 'Received', 'Ordered', 'Partial', 'Paid', 'Unpaid', 'Standard', 'Vehicle'],
  // Groupings and sources of reports.
  ...[
    'Open-api',
    'Web-admin',
    'Kiosk',
    'Menu',
    'day',
    'category',
    'product',
    'type',
    'source',
    'hour',
    'payment',
    'staff',
    'location',
  ],
  // Confidence in a legal fact.
  ...['high', 'medium', 'low'],
  // Subjects of events.
  ...[
    'Order',
    'Product',
    'Package',
    'Customer',
    'Purchase order',
    'Transfer',
    'Stock',
    'Queue',
    'Loyalty',
    'Organization',
  ],
];
