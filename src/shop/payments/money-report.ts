import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, businessDayAt, startOfBusinessDayMs } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  CentsTotal,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { sqlInstant } from '../../platform/statements/sql-instant.ts';
import { statement } from '../../platform/statements/statement.ts';

const daysMax = 92;
const rowsMax = 10_000;

type RangeParameters = { from: string; until: string; tz: string; dayStartsAt: string };

interface TenderRow {
  day: string;
  paymentTypeId: number;
  name: string;
  payments: number;
  amount: number;
  fees: number;
  cashRounding: number;
}

/** How the sales of these days were paid. */
const selectTenders = statement<RangeParameters, TenderRow>(
  'select_money_tenders',
  `select business_day(o.fulfilled_at, :tz, :dayStartsAt::time)::text as day, p.payment_type_id as "paymentTypeId",
          min(p.name) as name, count(*)::integer as payments, sum(p.final_amount_cents)::bigint as amount,
          sum(p.fee_amount_cents)::bigint as fees, sum(p.rounding_cents)::bigint as "cashRounding"
     from orders o
     join order_payments p on p.organization_id = :organizationId and p.order_id = o.id
    where o.organization_id = :organizationId and o.status = 'fulfilled' and o.type in ('delivery', 'pickup', 'in-store')
      and o.fulfilled_at >= :from and o.fulfilled_at < :until
    group by 1, 2 order by 1, 2 limit ${rowsMax}`,
);

interface ProviderRow {
  day: string;
  paymentTypeId: number;
  captured: number;
  tips: number;
  cashBack: number;
  providerFees: number;
  refunds: number;
  returned: number;
}

/** What moved at providers on these days, by the ledger. */
const selectProviderMoney = statement<RangeParameters, ProviderRow>(
  'select_provider_money',
  `select business_day(l.created_at, :tz, :dayStartsAt::time)::text as day, i.payment_type_id as "paymentTypeId",
          coalesce(sum(l.amount_cents) filter (where l.kind = 'captured'), 0)::bigint as captured,
          coalesce(sum(l.amount_cents) filter (where l.kind = 'tip'), 0)::bigint as tips,
          coalesce(sum(l.amount_cents) filter (where l.kind = 'cash-back'), 0)::bigint as "cashBack",
          coalesce(sum(l.amount_cents) filter (where l.kind = 'provider-fee'), 0)::bigint as "providerFees",
          coalesce(sum(l.amount_cents) filter (where l.kind in ('refund', 'refund-failed')), 0)::bigint as refunds,
          coalesce(sum(l.amount_cents) filter (where l.kind in ('returned', 'recovered')), 0)::bigint as returned
     from payment_ledger_entries l
     join payment_intents i on i.organization_id = :organizationId and i.id = l.payment_intent_id
    where l.organization_id = :organizationId and l.created_at >= :from and l.created_at < :until
    group by 1, 2 order by 1, 2 limit ${rowsMax}`,
);

interface TipRow {
  day: string;
  staffId: number | null;
  firstName: string | null;
  lastName: string | null;
  tips: number;
}

/** Tips by who rang them up; null: no member of staff asked for the payment. */
const selectTips = statement<RangeParameters, TipRow>(
  'select_money_tips',
  `select business_day(l.created_at, :tz, :dayStartsAt::time)::text as day, i.staff_id as "staffId",
          min(s.first_name) as "firstName", min(s.last_name) as "lastName", sum(l.amount_cents)::bigint as tips
     from payment_ledger_entries l
     join payment_intents i on i.organization_id = :organizationId and i.id = l.payment_intent_id
     left join staff_members s on s.organization_id = :organizationId and s.id = i.staff_id
    where l.organization_id = :organizationId and l.kind = 'tip' and l.created_at >= :from and l.created_at < :until
    group by 1, 2 order by 1, 2 limit ${rowsMax}`,
);

const MoneyReport = Named(
  'MoneyReport',
  Type.Object({
    from: LocalDate(),
    to: LocalDate(),
    tenders: List(
      Type.Object({
        day: LocalDate(),
        paymentTypeId: Id(),
        name: Text({ max: 200 }),
        payments: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        amount: CentsTotal({ description: 'With fees, before cash was rounded' }),
        fees: CentsTotal({ description: 'What customers paid for the payment type, within `amount`' }),
        cashRounding: CentsTotal({ description: 'What rounding to five cents added to cash' }),
      }),
      { max: rowsMax, description: 'How the sales of these days were paid' },
    ),
    providers: List(
      Type.Object({
        day: LocalDate(),
        paymentTypeId: Id(),
        captured: CentsTotal(),
        tips: CentsTotal(),
        cashBack: CentsTotal(),
        providerFees: CentsTotal({ description: 'What the provider itself added' }),
        refunds: CentsTotal({ description: 'Negative' }),
        returned: CentsTotal({ description: 'Negative: the bank took it back' }),
      }),
      { max: rowsMax, description: 'What moved at terminals and banks, on the day it moved' },
    ),
    tips: List(
      Type.Object({
        day: LocalDate(),
        staffId: Nullable(Id({ description: 'Who rang it up; null: paid by a link without staff' })),
        firstName: Nullable(Text({ max: 100 })),
        lastName: Nullable(Text({ max: 100 })),
        tips: CentsTotal(),
      }),
      { max: rowsMax, description: 'Tips by person and day: wages to be paid out, no income of the shop' },
    ),
  }),
);

/** The report of money by tender, provider and tip. */
export function moneyReportRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'reportMoney',
      method: 'GET',
      path: '/staff/v1/reports/money',
      roles: ['owner', 'manager'],
      kind: 'read',
      readsFrom: 'standby',
      summary: 'Report money',
      description: `How sales were paid, with fees and rounding, what moved at providers, and tips by person, by business day. At most ${daysMax} days.`,
      tag: 'Reports',
      query: Type.Object({
        from: Type.Optional(LocalDate({ description: 'First day; default: `to`' })),
        to: Type.Optional(LocalDate({ description: 'Last day; default: today' })),
      }),
      success: {
        status: 200,
        data: MoneyReport,
        description: 'Money',
        example: {
          ...{ from: '2026-03-01', to: '2026-03-01' },
          tenders: [
            {
              ...{ day: '2026-03-01', paymentTypeId: 2301, name: 'Debit', payments: 12, amount: 61_400 },
              ...{ fees: 4_200, cashRounding: 0 },
            },
          ],
          providers: [
            {
              ...{ day: '2026-03-01', paymentTypeId: 2301, captured: 61_400, tips: 850, cashBack: 0 },
              ...{ providerFees: 0, refunds: -3_500, returned: 0 },
            },
          ],
          tips: [{ day: '2026-03-01', staffId: 41, firstName: 'Wren', lastName: 'Abara', tips: 850 }],
        },
      },
      failures: [],
      handle: async ({ staff, query }) => reply(await moneyReport(context, staff.organizationId, query)),
    }),
  ];
}

async function moneyReport(
  { database, clock }: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string },
) {
  const [[shop]] = await database.read(organization, selectOrganization({}));
  assert(shop !== undefined, 'an organization with staff exists');
  const days = { tz: shop.tz, dayStartsAt: shop.business_day_starts_at };
  const { to = businessDayAt(clock.now(), days) } = asked;
  const { from = to } = asked;
  if (from > to) throw failure('INVALID_PARAMS', 'from must not be after to.');
  if (addDays(from, daysMax) <= to) {
    throw failure('INVALID_PARAMS', `from and to must span at most ${daysMax} days.`);
  }
  const range = {
    ...days,
    from: sqlInstant(startOfBusinessDayMs(from, days)),
    until: sqlInstant(startOfBusinessDayMs(addDays(to, 1), days)),
  };
  const [tenders, providers, tips] = await database.read(
    organization,
    selectTenders(range),
    selectProviderMoney(range),
    selectTips(range),
  );
  return { from, to, tenders, providers, tips };
}
