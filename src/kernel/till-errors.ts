import { type CatalogEntry, metaShape } from './error-entry.ts';

/** A register, its drawer, a sale without the line or the payment of a sale is not as the request needs it. */
export const tillErrors = {
  REGISTER_NOT_FOUND: {
    status: 404,
    when: 'There is no such register, or it is archived and cannot take the payment.',
    remedy: 'Use an id of GET /staff/v1/registers.',
  },
  DRAWER_SESSION_NOT_FOUND: {
    status: 404,
    when: 'There is no such drawer session.',
    remedy: 'Use an id of GET /staff/v1/drawer-sessions.',
  },
  DRAWER_IS_OPEN: {
    status: 409,
    when: 'The drawer of the register is open already, or it is open and the register cannot be archived.',
    remedy: 'Use the open session, or close it first.',
  },
  DRAWER_SESSION_CLOSED: {
    status: 409,
    when: 'The drawer session is closed.',
    remedy: 'Use the open session of the register.',
  },
  OFFLINE_SALE_NOT_FOUND: {
    status: 404,
    when: 'There is no such offline sale.',
    remedy: 'Use an id of GET /staff/v1/offline-sales.',
  },
  OFFLINE_SALE_NOT_SIGNED: {
    status: 403,
    when: 'The signature is not that of the person who sold, at this register and on these terms, and the caller did not open the drawer of that time.',
    remedy: 'Let the member of staff send it whose drawer it was.',
  },
  OFFLINE_SALE_DIFFERS: {
    status: 409,
    when: 'A sale with this saleKey and other content was placed before.',
    remedy: 'Give every sale a saleKey of its own.',
  },
  OFFLINE_SALE_IS_OWN: {
    status: 403,
    when: 'The caller sold the flagged sale, or sent it.',
    remedy: 'Let another owner or manager settle it.',
  },
  OFFLINE_SALE_SETTLED: {
    status: 409,
    when: 'The offline sale has nothing to settle: it is settled already, or was not flagged.',
    remedy: 'Read the sale again.',
  },
  SALE_NOT_VOIDABLE: {
    status: 409,
    when: 'A sale is voided on its business day only, before its drawer is counted, and without returns.',
    remedy: 'Make a return.',
    meta: metaShape(
      '{reason}',
      { reason: 'day-is-over' },
      { reason: { type: 'string', description: '`day-is-over`, `drawer-is-closed` or `has-returns`' } },
    ),
  },
  PAYMENT_NOT_CORRECTABLE: {
    status: 409,
    when: 'How a sale was paid is corrected on its business day only, before its drawer is counted, without returns, and not where a provider or a gift card knows it.',
    remedy: 'Note the difference at the drawer, or void the sale and take it again.',
    meta: metaShape(
      '{reason}',
      { reason: 'drawer-is-closed' },
      {
        reason: {
          type: 'string',
          description:
            '`day-is-over`, `drawer-is-closed`, `has-returns`, `exchanged`, `gift-card` or `at-provider`',
        },
      },
    ),
  },
  DRAWER_NOT_OPEN: {
    status: 409,
    when: 'The register takes no cash while its drawer is closed.',
    remedy: 'Open the drawer of the register.',
  },
} as const satisfies Record<string, CatalogEntry>;
