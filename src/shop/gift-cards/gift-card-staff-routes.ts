import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, businessDayAt, isoTimestamp, startOfBusinessDayMs } from '../../kernel/local-time.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  CentsTotal,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { sqlInstant } from '../../platform/statements/sql-instant.ts';
import { sumStoreCredits } from '../promotions/promotions.ts';
import { codeDigest, readCode } from './gift-card-code.ts';
import {
  type EntryKind,
  entryKinds,
  type GiftCardRow,
  selectEntriesOfCard,
  selectGiftCardOfCode,
  sumEntries,
} from './gift-card-queries.ts';
import { cashOutGiftCard, issueGiftCard, loadGiftCard, readCard } from './issue-gift-card.ts';

const entriesMax = 1_000;
/** Federal law asks for no limit on closed cards of a shop; more than this is a mistake of typing. */
const loadCentsMax = 200_000;

const GiftCard = Named(
  'GiftCard',
  Type.Object({
    id: Id(),
    lastFour: Text({ max: 4, description: 'Of its code' }),
    balance: Cents({ description: 'What it can pay. It does not expire' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);
const cardExample = {
  ...{ id: 6601, lastFour: '4417', balance: 5_000 },
  ...{ createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z' },
} as const;
const Code = Text({ min: 1, max: 100, description: 'As scanned or typed; spaces and hyphens do not count' });
const paidFields = {
  amount: Cents({ min: 1, max: loadCentsMax, description: 'What is paid: the value that it adds' }),
  paymentTypeId: Id({ description: 'How it is paid; neither by gift cards nor by a connected type' }),
  registerId: Id({ description: 'Where it is paid: the money belongs to its drawer' }),
};
const paidFailures = ['PAYMENT_TYPE_NOT_FOUND', 'REGISTER_NOT_FOUND', 'DRAWER_NOT_OPEN'] as const;
const ofCard = {
  params: Type.Object({ giftCardId: Id() }),
  resourceParams: { giftCardId: 'GIFT_CARD_NOT_FOUND' },
} as const;
const shared = { roles: orderRoles, tag: 'Registers' } as const;
const paidExample = { amount: 5_000, paymentTypeId: 2701, registerId: 5201 };

function shownCard({ id, lastFour, balanceCents, createdAt, updatedAt }: GiftCardRow) {
  return {
    ...{ id, lastFour, balance: balanceCents },
    ...{ createdAt: isoTimestamp(createdAt), updatedAt: isoTimestamp(updatedAt) },
  };
}

/** Gift cards at the counter (D106). */
export function giftCardStaffRoutes(context: Context): StaffEndpoint[] {
  return [...movingRoutes(context), ...readingRoutes(context)];
}

function movingRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...shared,
      id: 'createGiftCard',
      method: 'POST',
      path: '/staff/v1/gift-cards',
      kind: 'write',
      summary: 'Sell a gift card',
      description:
        'A new card with the value that was paid. Without `code` the service makes one and tells it in this reply only. It is no sale: ' +
        'sales, taxes and reports to the state count what the card pays for later.',
      body: Type.Object({ code: Type.Optional(Code), ...paidFields }),
      requestExample: paidExample,
      success: {
        status: 201,
        data: Type.Object({ ...GiftCard.properties, code: Text({ max: 100, description: 'To be printed' }) }),
        description: 'The card',
        example: { ...cardExample, code: '40218830557719364417' },
      },
      failures: ['GIFT_CARD_EXISTS', ...paidFailures],
      handle: async ({ staff, requestId, body }) => {
        const { amount: amountCents, code: given = null, ...paid } = body;
        const asked = { ...paid, amountCents, code: given, staffId: staff.staffId };
        const origin = staffOrigin(staff, requestId);
        const { card, code } = await issueGiftCard(context, origin, staff.organizationId, asked);
        return reply({ ...shownCard(card), code });
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofCard,
      id: 'loadGiftCard',
      method: 'POST',
      path: '/staff/v1/gift-cards/{giftCardId}/load',
      kind: 'write',
      summary: 'Load a gift card',
      description: 'Adds the value that was paid.',
      body: Type.Object(paidFields),
      requestExample: paidExample,
      success: { status: 200, data: GiftCard, description: 'The card', example: cardExample },
      failures: ['GIFT_CARD_NOT_FOUND', ...paidFailures],
      handle: async ({ staff, requestId, params, body }) => {
        const { amount: amountCents, ...paid } = body;
        const asked = { ...paid, amountCents, staffId: staff.staffId };
        const origin = staffOrigin(staff, requestId);
        const { giftCardId } = params;
        return reply(shownCard(await loadGiftCard(context, origin, staff.organizationId, giftCardId, asked)));
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofCard,
      roles: ['owner', 'manager'],
      id: 'cashOutGiftCard',
      method: 'POST',
      path: '/staff/v1/gift-cards/{giftCardId}/cash-out',
      kind: 'write',
      summary: 'Pay a gift card out',
      description:
        'The whole rest in cash, out of the drawer. Some states give customers a right to it for small rests: in California below $15.00.',
      body: Type.Object({
        registerId: paidFields.registerId,
        paymentTypeId: Id({ description: 'A payment type of the method `cash`' }),
      }),
      requestExample: { registerId: 5201, paymentTypeId: 2701 },
      success: {
        status: 200,
        data: GiftCard,
        description: 'The card',
        example: { ...cardExample, balance: 0 },
      },
      failures: ['GIFT_CARD_NOT_FOUND', 'GIFT_CARD_BALANCE', ...paidFailures],
      handle: async ({ staff, requestId, params, body }) => {
        const asked = { ...body, staffId: staff.staffId };
        const origin = staffOrigin(staff, requestId);
        const card = await cashOutGiftCard(context, origin, staff.organizationId, params.giftCardId, asked);
        return reply(shownCard(card));
      },
    }),
  ];
}

function readingRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...shared,
      id: 'findGiftCard',
      method: 'POST',
      path: '/staff/v1/gift-cards/find',
      kind: 'read',
      readsFrom: { primary: 'a counter pays with what has just changed' },
      summary: 'Find a gift card by its code',
      description: 'The code stands in the body, so that no log has it.',
      body: Type.Object({ code: Code }),
      requestExample: { code: '40218830557719364417' },
      success: { status: 200, data: GiftCard, description: 'The card', example: cardExample },
      failures: ['GIFT_CARD_NOT_FOUND'],
      handle: async ({ staff: { organizationId }, body }) => {
        const digest = codeDigest(readCode(body.code));
        const [[card]] = await context.database.read(
          organizationId,
          selectGiftCardOfCode({ codeDigest: digest }),
        );
        if (card === undefined) {
          throw failure('GIFT_CARD_NOT_FOUND', 'There is no gift card with this code.');
        }
        return reply(shownCard(card));
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofCard,
      id: 'listGiftCardEntries',
      method: 'GET',
      path: '/staff/v1/gift-cards/{giftCardId}/entries',
      kind: 'read',
      readsFrom: { primary: 'a counter shows what has just changed' },
      list: { staysSmall: 'the life of one card', unsorted: 'the entries of one card, newest first' },
      emptyInDemo: 'a demo sells no gift cards',
      exported: { not: 'the report of gift cards has their sums' },
      summary: 'List what moved on a gift card',
      description: 'Newest first, at most a thousand. Their sum is the balance.',
      success: {
        status: 200,
        data: List(
          Named(
            'GiftCardEntry',
            Type.Object({
              id: Id(),
              kind: OneOf(entryKinds, { description: '`given-back`: its order was voided' }),
              amount: CentsTotal({ description: 'Onto the card is positive' }),
              orderId: Nullable(Text({ max: 36, description: 'The order that it paid' })),
              orderReturnId: Nullable(Id({ description: 'The return that was refunded to it' })),
              createdAt: Timestamp(),
            }),
          ),
          { max: entriesMax },
        ),
        description: 'The entries',
        example: [
          {
            ...{ id: 9_001, kind: 'issued', amount: 5_000, orderId: null, orderReturnId: null },
            createdAt: '2026-03-01T17:05:09.123Z',
          },
        ],
      },
      failures: ['GIFT_CARD_NOT_FOUND'],
      handle: async ({ staff: { organizationId }, params: { giftCardId: id } }) => {
        await readCard(context, organizationId, id);
        const [rows] = await context.database.read(
          organizationId,
          selectEntriesOfCard({ id, limit: entriesMax }),
        );
        return reply(
          rows.map(({ giftCardId: _, amountCents, createdAt, ...row }) => ({
            ...{ ...row, amount: amountCents, createdAt: isoTimestamp(createdAt) },
          })),
        );
      },
    }),

    staffEndpoint({
      ...shared,
      roles: ['owner', 'manager'],
      id: 'reportGiftCards',
      method: 'GET',
      path: '/staff/v1/reports/gift-cards',
      kind: 'read',
      readsFrom: 'standby',
      summary: 'Report what is owed on gift cards and store credit',
      description:
        'By business days: what was owed to holders of cards before, what moved, what is owed at the end. Value on cards is a liability, not ' +
        'income. Value that is never spent stays owed: whether it goes to the state is a question for your accountant.',
      query: Type.Object({
        from: Type.Optional(LocalDate({ description: 'First day; default: today' })),
        to: Type.Optional(LocalDate({ description: 'Last day; default: today' })),
      }),
      success: {
        status: 200,
        data: GiftCardReport,
        description: 'What is owed',
        example: {
          ...{ from: '2026-03-01', to: '2026-03-01', owedBefore: 120_000, issued: 5_000, loaded: 0 },
          ...{ spent: -3_500, givenBack: 0, refunded: 0, refundVoided: 0, cashedOut: 0, owed: 121_500 },
          storeCredit: 18_200,
        },
      },
      failures: [],
      handle: async ({ staff, query }) => reply(await report(context, staff.organizationId, query)),
    }),
  ];
}

const GiftCardReport = Named(
  'GiftCardReport',
  Type.Object({
    from: LocalDate(),
    to: LocalDate(),
    owedBefore: CentsTotal({ description: 'On all cards, before the first day' }),
    issued: CentsTotal(),
    loaded: CentsTotal(),
    spent: CentsTotal({ description: 'Negative' }),
    givenBack: CentsTotal({ description: 'Of sales that were voided' }),
    refunded: CentsTotal({ description: 'For returned goods' }),
    refundVoided: CentsTotal({ description: 'Negative: refunds of voided returns' }),
    cashedOut: CentsTotal({ description: 'Negative' }),
    owed: CentsTotal({ description: 'On all cards, after the last day' }),
    storeCredit: CentsTotal({ description: "On customers' accounts now, without what has expired" }),
  }),
);

async function report(
  { database, clock }: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string },
) {
  const [[shop]] = await database.read(organization, selectOrganization({}));
  assert(shop !== undefined, 'an organization with staff exists');
  const days = { tz: shop.tz, dayStartsAt: shop.business_day_starts_at };
  const today = businessDayAt(clock.now(), days);
  const { from = asked.to ?? today, to = today } = asked;
  if (from > to) throw failure('INVALID_PARAMS', 'from must not be after to.');
  const [sums, [credits]] = await database.read(
    organization,
    sumEntries({
      from: sqlInstant(startOfBusinessDayMs(from, days)),
      until: sqlInstant(startOfBusinessDayMs(addDays(to, 1), days)),
    }),
    sumStoreCredits({ at: isoTimestamp(clock.now()) }),
  );
  const moved = (kind: EntryKind) => sums.find((it) => it.kind === kind)?.cents ?? 0;
  const owedBefore = sums.reduce((sum, it) => sum + it.before_cents, 0);
  return {
    ...{ from, to, owedBefore, issued: moved('issued'), loaded: moved('loaded'), spent: moved('spent') },
    ...{ givenBack: moved('given-back'), refunded: moved('refunded'), cashedOut: moved('cashed-out') },
    refundVoided: moved('refund-voided'),
    owed: owedBefore + sums.reduce((sum, it) => sum + it.cents, 0),
    storeCredit: credits?.cents ?? 0,
  };
}
