/**
 * Tables that the operations of customers' sessions write for requests that other operations would refuse without a write: a
 * code is asked for in the same way by every address, each try counts, and a session that is unknown ends without a refusal
 * (D62). `customer-sessions.test.ts` holds what they write.
 */
const attemptTables = ['customer_codes', 'customer_sessions', 'mails', 'audit_entries', 'outbox_events'];
/** What a count of stock writes. Each line is checked by itself: a valid one beside a refused one is written. */
const stockTables = [
  'stock_balances',
  'stock_ledger_entries',
  'stock_operations',
  'product_stock_changes',
  'audit_entries',
  'outbox_events',
];
const tablesOf: Readonly<Record<string, readonly string[]>> = {
  requestCustomerCode: attemptTables,
  startCustomerSession: attemptTables,
  endCustomerSession: attemptTables,
  setProductStock: stockTables,
};

/** The contents of the tables that the operation must leave as they are. */
export function contentsToKeep<Content>(
  operationId: string,
  contents: Readonly<Record<string, Content>>,
): Readonly<Record<string, Content>> {
  const written = tablesOf[operationId];
  if (written === undefined) return contents;
  return Object.fromEntries(
    Object.entries(contents).filter(([table]) => !written.includes(table.split(' ')[0]!)),
  );
}
