import { Text, Timeline } from '@mantine/core';
import { t } from '../../words/words.ts';
import '@mantine/core/styles/Timeline.css';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { useCan } from '../../session/session.tsx';
import { type Order, staffName } from './order-words.ts';
import { orderKey } from './use-order-step.ts';

interface HistoryEntry {
  readonly key: string;
  readonly what: string;
  readonly at: string;
  readonly who: string | null;
}

/** The history of the order with actors: the full audit log for roles that may read it, milestones for others. */
export function OrderHistory({ order }: { order: Order }) {
  const mayReadLog = useCan('listAuditEntries');
  const log = useQuery({
    queryKey: [...orderKey(order.id), 'audit-log'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/audit-log', {
          params: { query: { subjectType: 'order', subjectId: order.id } },
          signal,
        }),
      ),
    enabled: mayReadLog,
  });
  const historyEntries = log.data?.length ? log.data.map((entry) => ofLog(entry, order)) : milestones(order);
  return (
    <SectionCard title={t`History`}>
      <Timeline bulletSize={12} lineWidth={2} active={historyEntries.length}>
        {historyEntries.map(({ key, what, at, who }) => (
          <Timeline.Item key={key} title={<Text size="sm">{what}</Text>}>
            <Text size="xs" c="dimmed">
              <ShopTime at={at} />
              {who && ` · ${who}`}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </SectionCard>
  );
}

function ofLog(entry: Schema['AuditEntry'], order: Order): HistoryEntry {
  return {
    key: String(entry.id),
    what: sentence(entry.action.replace(/^order\./, '')),
    at: entry.at,
    who: actorName(entry, order),
  };
}

/** An integrator's name without the name of its key. */
function actorName({ actor, actorName }: Schema['AuditEntry'], order: Order): string | null {
  if (actor.startsWith('job:')) return null;
  return actor.startsWith('key:') ? (order.apiConsumerName ?? actorName) : actorName;
}

function milestones(order: Order): HistoryEntry[] {
  const all: (Omit<HistoryEntry, 'at'> & { at: string | null })[] = [
    {
      key: 'placed',
      what: t`Placed`,
      at: order.createdAt,
      who: staffName(order.placedBy) ?? order.apiConsumerName,
    },
    { key: 'packed', what: t`Packed`, at: order.packedAt, who: staffName(order.packedBy) },
    { key: 'fulfilled', what: t`Fulfilled`, at: order.fulfilledAt, who: staffName(order.fulfilledBy) },
    { key: 'canceled', what: t`Canceled`, at: order.canceledAt, who: staffName(order.canceledBy) },
    ...order.returns.flatMap((each) => [
      { key: `return ${each.id}`, what: t`Returned`, at: each.createdAt, who: staffName(each.createdBy) },
      { key: `void ${each.id}`, what: t`Return voided`, at: each.voidedAt, who: staffName(each.voidedBy) },
    ]),
  ];
  return all
    .filter((it): it is HistoryEntry => it.at !== null)
    .sort((one, other) => other.at.localeCompare(one.at));
}
