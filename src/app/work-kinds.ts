/** Kinds of background work of which the database can say at once which organizations have some. */
export const workKinds = [
  'book_changes',
  'product_stock_changes',
  'state_lanes',
  'report_mails',
  'late_state_reports',
  'former_organizations',
  'product_photos',
] as const;
export type WorkKind = (typeof workKinds)[number];
