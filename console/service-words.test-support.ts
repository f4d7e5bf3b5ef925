/**
 * Words that the service sends: values of enumerations, as `sentence` writes them, and groupings of reports. `said` shows them in
 * the page's language; a word that is not here stays as the service names it. The types of events are in the contract.
 */
export const serviceWords: readonly string[] = [
  ...['Owner', 'Manager', 'Budtender', 'Inventory', 'Delivery', 'Pickup', 'In-store'],
  ...['Draft', 'New', 'Packed', 'Fulfilled', 'Canceled', 'Placed', 'Accepted'],
  ...['Unaccepted', 'Unpacked', 'Returned', 'Return voided', 'Updated', 'Dispatched', 'Receipt sent'],
  ...['Unassigned', 'Assigned', 'Active', 'Completed', 'Failed', 'Open', 'Closed'],
  ...['Inactive', 'Ended', 'Archived', 'Disabled', 'Invited', 'Pending', 'Approved'],
  ...['Rejected', 'Expired', 'Revoked', 'Superseded', 'Medical', 'Tax exempt', 'Voided'],
  ...['Off', 'On', 'Delivered', 'Live', 'Coming', 'Sent', 'Waiting'],
  ...['Kept', 'Paid', 'Unpaid', 'Partial', 'Standard', 'Vehicle', 'Store-credit'],
  ...['Store credit', 'None', 'Payment-type', 'Open-api', 'Web-admin', 'Kiosk', 'Menu'],
  ...['day', 'category', 'product', 'type', 'source', 'hour', 'payment', 'customer', 'discount'],
  ...['staff', 'location', 'high', 'medium', 'low'],
  ...['Each', 'Grams', 'Kilograms', 'Milligrams', 'Ounces', 'Pounds'],
  ...['Fluid Ounces', 'Gallons', 'Liters', 'Milliliters', 'Pints'],
];
