import { Alert, Badge, Button, Group, Text, Textarea } from '@mantine/core';
import { IconMapPin, IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import { Money } from '../../parts/money.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import {
  isOpen,
  isToDo,
  navigationLink,
  type Trip,
  type TripAct,
  type TripStop,
} from '../../trip/trip-acts.ts';
import { t } from '../../words/words.ts';
import { HandOverForm } from './hand-over.tsx';
import classes from './my-trip.module.css';

const statusWords: Readonly<Record<TripStop['status'], string>> = {
  waiting: t`To do`,
  arrived: t`Arrived`,
  delivered: t`Delivered¦by a driver`,
  partly: t`Delivered in part`,
  refused: t`Refused`,
  notHome: t`Not home`,
};

const isApple = () => /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/** A stop: where, who, what, how much; and at the next ones, what can be done. */
export function StopCard({
  trip,
  stop,
  isNext,
  onAct,
}: {
  trip: Trip;
  stop: TripStop;
  isNext: boolean;
  onAct: (act: TripAct) => void;
}) {
  const { address, buyer, deliveryNotes, lines, amountDue, status } = stop;
  const name = buyer
    ? `${buyer.firstName} ${buyer.lastName}`.trim()
    : t`Order ${String(stop.orderNumber ?? '')}`;
  const toDo = isToDo(stop);
  const canAct = trip.status === 'out' && toDo;
  return (
    <li className={classes.stop} data-next={isNext || undefined}>
      <div className={classes.head}>
        <h2 className={classes.name}>
          {stop.position + 1}. {name}
        </h2>
        <Badge color={isOpen(stop) ? 'gray' : 'teal'} variant="light">
          {statusWords[status]}
        </Badge>
      </div>
      <Text>
        {[address.street1, address.street2].filter(Boolean).join(', ')}
        <br />
        {[address.city, [address.state, address.postalCode].filter(Boolean).join(' ')]
          .filter(Boolean)
          .join(', ')}
      </Text>
      {stop.window !== null && (
        <Text fw={600}>
          <ShopTime at={stop.window.from} style="time" />–<ShopTime at={stop.window.to} style="time" />
        </Text>
      )}
      {deliveryNotes && <Text size="sm">{deliveryNotes}</Text>}
      {isOpen(stop) && !toDo && (
        <Alert color="red">
          {t`The order is not open any more. Hand nothing over: its goods come back to the shop.`}
        </Alert>
      )}
      {toDo && (
        <>
          <div className={classes.two}>
            <Button
              component="a"
              role="button"
              variant="default"
              href={navigationLink(stop, isApple())}
              leftSection={<IconMapPin size={20} aria-hidden />}
            >
              {t`Navigate`}
            </Button>
            {buyer?.phone && (
              <Button
                component="a"
                role="button"
                variant="default"
                href={`tel:${buyer.phone}`}
                leftSection={<IconPhone size={20} aria-hidden />}
              >
                {t`Call`}
              </Button>
            )}
          </div>
          <ul className={classes.items} aria-label={t`Items for ${name}`}>
            {lines.map(({ lineItemId, productName, optionName, quantity }) => (
              <li key={lineItemId}>
                {quantity} × {productName}, {optionName}
              </li>
            ))}
          </ul>
          <Group justify="space-between">
            <Text>{t`To pay`}</Text>
            {amountDue === 0 ? <Text>{t`Paid`}</Text> : <Money cents={amountDue} className={classes.due} />}
          </Group>
        </>
      )}
      {canAct && <StopActs trip={trip} stop={stop} name={name} onAct={onAct} />}
    </li>
  );
}

function StopActs({
  trip,
  stop,
  name,
  onAct,
}: {
  trip: Trip;
  stop: TripStop;
  name: string;
  onAct: (act: TripAct) => void;
}) {
  const [open, setOpen] = useState<'hand-over' | 'refuse' | null>(null);
  const { id: stopId, status } = stop;
  if (open === 'hand-over') {
    return (
      <HandOverForm
        trip={trip}
        stop={stop}
        onHandOver={(handOver) => onAct({ kind: 'deliver', stopId, handOver })}
        onClose={() => setOpen(null)}
      />
    );
  }
  if (open === 'refuse') {
    return (
      <Refusal
        onRefuse={(reason) => onAct({ kind: 'refuse', stopId, reason })}
        onClose={() => setOpen(null)}
      />
    );
  }
  return (
    <>
      {status === 'waiting' && (
        <Button
          size="lg"
          variant="light"
          aria-label={t`Arrived at ${name}`}
          onClick={() => onAct({ kind: 'arrive', stopId })}
        >
          {t`I have arrived`}
        </Button>
      )}
      <Button size="lg" aria-label={t`Hand over to ${name}`} onClick={() => setOpen('hand-over')}>
        {t`Hand over`}
      </Button>
      <div className={classes.two}>
        <Button
          variant="default"
          aria-label={t`Refuse the delivery of ${name}`}
          onClick={() => setOpen('refuse')}
        >
          {t`Refuse`}
        </Button>
        <Button
          variant="default"
          aria-label={t`Not home: ${name}`}
          onClick={() => onAct({ kind: 'not-home', stopId })}
        >
          {t`Not home`}
        </Button>
      </div>
    </>
  );
}

const reasons = [t`Underage`, t`No valid ID`, t`Not the buyer`, t`Does not want it`, t`Cannot pay`];

/** Why nothing is handed over: one of the usual reasons, or the driver's own words. */
function Refusal({ onRefuse, onClose }: { onRefuse: (reason: string) => void; onClose: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <>
      <Group gap="xs" role="group" aria-label={t`Reason`}>
        {reasons.map((it) => (
          <Button
            key={it}
            variant={it === reason ? 'filled' : 'default'}
            aria-pressed={it === reason}
            onClick={() => setReason(it)}
          >
            {it}
          </Button>
        ))}
      </Group>
      <Textarea
        label={t`Reason in your words`}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button size="lg" color="red.9" disabled={reason.trim() === ''} onClick={() => onRefuse(reason.trim())}>
        {t`Refuse the delivery`}
      </Button>
      <Button variant="default" onClick={onClose}>
        {t`Back`}
      </Button>
    </>
  );
}
