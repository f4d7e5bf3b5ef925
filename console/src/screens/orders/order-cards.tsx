import { Anchor, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { dayInWords, LastDay } from '../../parts/shop-day.tsx';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from './order-detail.module.css';
import { customerOf, type Order, sourceInWords } from './order-words.ts';

/** Names and values in the side column; empty values are left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The customer, with the data to compare with an ID at the counter. */
export function OrderCustomerCard({ order }: { order: Order }) {
  const { tz } = useSession().organization;
  const { customer } = order;
  const today = shopDayAt(shopNow(), tz);
  return (
    <SectionCard title={t`Customer`}>
      <Group gap="xs" mb="xs">
        {customer.id === undefined ? (
          <Text fw={600}>{customerOf(order)}</Text>
        ) : (
          <Anchor component={Link} to={`/customers/${customer.id}`} fw={600} c="inherit" underline="always">
            {customerOf(order)}
          </Anchor>
        )}
        {order.isMedical && <StatusBadge status="medical" tone="good" />}
        {order.taxExempt && <StatusBadge status="tax exempt" tone="waiting" />}
      </Group>
      <Text component="div" size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {customer.phone && <div>{phoneInWords(customer.phone)}</div>}
        {customer.email && <div>{customer.email}</div>}
      </Text>
      <Facts
        rows={[
          [t`Short ID`, customer.hashId],
          [
            t`Born`,
            customer.birthday && t`${dayInWords(customer.birthday)}, age ${ageOn(today, customer.birthday)}`,
          ],
          [t`License`, customer.licenseExpiry && <LastDay day={customer.licenseExpiry} />],
          [t`Medical card`, customer.medicalExpiration && <LastDay day={customer.medicalExpiration} />],
          [
            t`Bought by`,
            order.boughtBy && (
              <Anchor
                key="by"
                component={Link}
                to={`/customers/${order.boughtBy.id}`}
                size="sm"
                underline="always"
              >
                {order.boughtBy.name}
              </Anchor>
            ),
          ],
          [
            t`ID seen`,
            order.idCheck && (
              <span key="seen">
                <ShopTime at={order.idCheck.at} /> {order.idCheck.by.firstName} {order.idCheck.by.lastName},{' '}
                {order.idCheck.how === 'scan' ? t`scanned` : t`checked by eye`}
              </span>
            ),
          ],
          [t`Law`, order.lawEdition && t`edition ${order.lawEdition}`],
        ]}
      />
    </SectionCard>
  );
}

/** The delivery address and the dispatch status. */
export function OrderDeliveryCard({ order }: { order: Order }) {
  const { address, dispatchTask } = order;
  if (address === null && dispatchTask === null) return null;
  return (
    <SectionCard title={t`Delivery`}>
      {address && (
        <Text size="sm" mb={dispatchTask ? 'sm' : undefined}>
          {[address.street1, address.street2].filter(Boolean).join(', ')}
          <br />
          {address.city}, {address.state} {address.postalCode}
        </Text>
      )}
      {dispatchTask && (
        <Facts
          rows={[
            [
              t`Task`,
              <StatusBadge
                key="status"
                status={dispatchTask.status}
                tone={dispatchTones[dispatchTask.status]}
              />,
            ],
            [t`Driver`, dispatchTask.driverName],
            [
              t`Expected`,
              dispatchTask.estimatedArrivalAt && <ShopTime key="at" at={dispatchTask.estimatedArrivalAt} />,
            ],
            [t`Completed`, dispatchTask.completedAt && <ShopTime key="done" at={dispatchTask.completedAt} />],
            [
              t`Tracking`,
              dispatchTask.trackingUrl && (
                <Anchor
                  key="tracking"
                  href={dispatchTask.trackingUrl}
                  target="_blank"
                  rel="noreferrer"
                  size="sm"
                  underline="always"
                >
                  {t`Open tracking page`}
                </Anchor>
              ),
            ],
          ]}
        />
      )}
    </SectionCard>
  );
}

const dispatchTones = {
  unassigned: 'neutral',
  assigned: 'waiting',
  active: 'active',
  completed: 'good',
  failed: 'bad',
} as const;

/** The notes and the source of the order. */
export function OrderNotesCard({ order }: { order: Order }) {
  return (
    <SectionCard title={t`Notes and source`}>
      {order.deliveryNotes && <Note title={t`From the customer`} text={order.deliveryNotes} />}
      {order.internalNotes && <Note title={t`Internal notes`} text={order.internalNotes} />}
      {order.cancelationReason && <Note title={t`Cancellation reason`} text={order.cancelationReason} />}
      <Facts
        rows={[
          [t`Source`, sourceInWords(order)],
          [t`Shift`, order.shift?.name],
        ]}
      />
    </SectionCard>
  );
}

function Note({ title, text }: { title: string; text: string }) {
  return (
    <div style={{ marginBottom: 8 }}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </div>
  );
}
