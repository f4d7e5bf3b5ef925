import { ActionIcon, Anchor, Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconBell, IconDoorExit, IconDots, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { LeaveQueueDialog } from './leave-queue-dialog.tsx';
import classes from './queue.module.css';
import { waitingTime } from './waiting-time.ts';

type Entry = Schema['QueueEntry'];

/** From this waiting time on, the customer should get an update. */
const longMs = 15 * 60_000;

/** A waiting customer and the next actions. */
export function QueuePlace({ entry, place, nowMs }: { entry: Entry; place: number; nowMs: number }) {
  const [isLeaving, setIsLeaving] = useState(false);
  const name = customerName(entry);
  const waitedMs = nowMs - Date.parse(entry.since);
  return (
    <li className={classes.place}>
      <span className={classes.rank} aria-hidden>
        {place}
      </span>
      <div className={classes.person}>
        <Group gap="sm">
          <Anchor
            component={Link}
            to={`/customers/${entry.id}`}
            c="var(--mantine-color-text)"
            fw={600}
            className={classes.name}
          >
            {name}
          </Anchor>
          {entry.isFirstTime && (
            <Badge variant="light" color="violet" radius="sm" className="status">
              {t`First visit`}
            </Badge>
          )}
          {entry.calledAt && (
            <Badge variant="light" color="teal" radius="sm" className="status">
              {t`Called`}
            </Badge>
          )}
        </Group>
        <Text component="div" size="sm" c="dimmed" className={`${classes.facts} numbers`}>
          <Text span inherit c={waitedMs >= longMs ? 'var(--mantine-color-error)' : undefined} fw={600}>
            {waitingTime(Date.parse(entry.since), nowMs)}
          </Text>
          <Facts entry={entry} />
        </Text>
      </div>
      <Actions entry={entry} name={name} onLeave={() => setIsLeaving(true)} />
      <LeaveQueueDialog entry={entry} opened={isLeaving} onClose={() => setIsLeaving(false)} />
    </li>
  );
}

function Facts({ entry }: { entry: Entry }) {
  const { tz } = useSession().organization;
  const age = entry.birthday ? ageOn(shopDayAt(shopNow(), tz), entry.birthday) : null;
  const facts = [age === null ? null : t`age ${age}`, entry.phone ? phoneInWords(entry.phone) : entry.email];
  return facts.filter(Boolean).map((fact) => <span key={fact}>{fact}</span>);
}

function Actions({ entry, name, onLeave }: { entry: Entry; name: string; onLeave: () => void }) {
  const queryClient = useQueryClient();
  const params = { path: { entryId: entry.entryId } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['instore-queues'] });
  const admit = useWrite({
    mutationFn: () => dataOf(api.POST('/staff/v1/instore-queues/{entryId}/admit', { params })),
    onError: notifyError,
    onSettled: refresh,
  });
  const call = useWrite({
    mutationFn: () => dataOf(api.POST('/staff/v1/instore-queues/{entryId}/call', { params })),
    onError: notifyError,
    onSettled: refresh,
  });
  return (
    <Group gap="xs" wrap="nowrap">
      {entry.line === 'intake' ? (
        <Button
          size="sm"
          loading={admit.isPending}
          onClick={() => admit.mutate()}
          aria-label={t`Admit ${name}`}
        >
          {t`Admit`}
        </Button>
      ) : (
        <Button
          size="sm"
          component={Link}
          to={`/point-of-sale?customer=${entry.id}`}
          aria-label={t`Serve ${name}`}
        >
          {t`Serve`}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={t`More for ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={() => call.mutate()}>
            {entry.calledAt ? t`Call again` : t`Call`}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUser size={16} aria-hidden />}
            component={Link}
            to={`/customers/${entry.id}`}
          >
            {t`Open profile`}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconDoorExit size={16} aria-hidden />} onClick={onLeave}>
            {t`Remove …`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
