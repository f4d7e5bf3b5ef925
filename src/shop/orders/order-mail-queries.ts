import { statement } from '../../platform/statements/statement.ts';

/** What mail about an order says of the shop, and where it goes. */
export interface OrderMailRow {
  name: string;
  customer_email: string;
  customer_phone: string;
  license_number: string;
  state: string;
  tz: string;
  mails_receipts: boolean;
  mails_ready: boolean;
  mails_out_for_delivery: boolean;
  mails_canceled: boolean;
  address: { street1: string; street2: string | null; city: string; postalCode: string } | null;
  birthday: string | null;
  residence: string | null;
  /** Null: the order has no customer, or the customer no email. */
  recipient: string | null;
  /** The caregiver who bought, and the patient for whom; null: customers bought for themselves. */
  bought_for: { by: string; patient: string } | null;
}

/**
 * One row: the shop, its settings for mail, and the customer's email. Without a customer the join asks for id 0, because several
 * servers refuse a join on null.
 */
export const selectOrderMail = statement<{ userId: number | null; boughtById: number | null }, OrderMailRow>(
  'select_order_mail',
  `select o.name, o.customer_email, o.customer_phone, o.license_number, o.state, o.tz,
          o.mails_receipts, o.mails_ready, o.mails_out_for_delivery, o.mails_canceled, p.address, c.birthday::text as birthday, c.residence,
          c.email as recipient,
          (select json_build_object('by', btrim(b.first_name || ' ' || b.last_name),
                                    'patient', btrim(c.first_name || ' ' || c.last_name))
             from customers b where b.organization_id = :organizationId and b.id = :boughtById::bigint) as bought_for
     from organizations o
     left join shop_profiles p on p.organization_id = o.id
     left join customers c on c.organization_id = o.id and c.id = case when :userId::bigint is null then 0 else :userId::bigint end
    where o.id = :organizationId`,
);

export const setOrderChange = statement<{ id: string; changeCents: number }, never>(
  'set_order_change',
  'update orders set change_cents = :changeCents where organization_id = :organizationId and id = :id',
);

export const selectOrderChange = statement<{ id: string }, { change_cents: number | null }>(
  'select_order_change',
  'select change_cents from orders where organization_id = :organizationId and id = :id',
);
