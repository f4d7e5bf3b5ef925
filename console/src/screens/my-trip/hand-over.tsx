import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Money } from '../../parts/money.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { QuantityStepper } from '../../parts/quantity-stepper.tsx';
import { TypedFieldsContext, useTypedFields } from '../../parts/typed-fields.ts';
import { cashOf, dueOf, type HandOver, type SeenId, type Trip, type TripStop } from '../../trip/trip-acts.ts';
import { t } from '../../words/words.ts';
import { DoorId, useDoorIdFault } from './door-id.tsx';
import classes from './my-trip.module.css';
import { SignaturePad } from './signature-pad.tsx';

/** Hands the goods of a stop over: the ID, what is taken, the cash, a tip, and the signature. */
export function HandOverForm({
  trip,
  stop,
  onHandOver,
  onClose,
}: {
  trip: Trip;
  stop: TripStop;
  onHandOver: (handOver: HandOver) => void;
  onClose: () => void;
}) {
  const [seen, setSeen] = useState<SeenId | null>(null);
  const [taken, setTaken] = useState<ReadonlyMap<number, number>>(
    () => new Map(stop.lines.map(({ lineItemId, quantity }) => [lineItemId, quantity])),
  );
  const [isInCash, setInCash] = useState(true);
  const [given, setGiven] = useState<number | null>(null);
  const [tip, setTip] = useState<number | null>(null);
  const [signature, setSignature] = useState<string | null>(null);
  const typed = useTypedFields();
  const section = useRef<HTMLDivElement>(null);
  const fault = useDoorIdFault(stop, seen);
  const needsId = trip.asksForId && stop.hasCannabis;
  const isPart = stop.lines.some(({ lineItemId, quantity }) => taken.get(lineItemId) !== quantity);
  const isNothing = [...taken.values()].every((quantity) => quantity === 0);
  const due = dueOf(stop, taken);
  const takesCash = due > 0 && trip.cashPaymentTypeId !== null && isInCash;
  const cash = cashOf(takesCash ? due : 0, takesCash ? given : null, tip ?? 0, trip.cashRounding);
  const obstacle =
    needsId && seen === null
      ? t`See the ID first.`
      : fault !== null
        ? t`With this ID nothing is handed over.`
        : isNothing
          ? t`Nothing is taken: refuse the delivery instead.`
          : cash.change === null
            ? t`The cash is not enough.`
            : null;
  const handOver = () => {
    // What cannot be read is not the exact amount.
    if (typed.haveMistakes()) {
      const wrong = () => section.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      requestAnimationFrame(() => wrong()?.focus());
      return;
    }
    onHandOver({
      ...(seen && { idCheck: seen }),
      ...(signature !== null && { signature }),
      ...(isPart && { lines: partOf(taken) }),
      ...(takesCash && { payments: [paymentOf(trip.cashPaymentTypeId!, cash.owed, given, tip ?? 0)] }),
      ...(tip !== null && tip > 0 && { tip }),
    });
  };
  return (
    <TypedFieldsContext value={typed.context}>
      <Stack ref={section} component="section" gap="md" aria-label={t`Hand over`}>
        <DoorId stop={stop} seen={seen} onSeen={setSeen} />
        <Taken stop={stop} taken={taken} onTaken={setTaken} />
        {isPart && due > 0 && (
          <Text size="sm">{t`The amount is for what is taken. The service prices it again, and its figures are final.`}</Text>
        )}
        {due > 0 && trip.cashPaymentTypeId !== null && (
          <Checkbox
            size="lg"
            label={t`Paid in cash`}
            description={t`Otherwise it is paid as the order says.`}
            checked={isInCash}
            onChange={({ currentTarget }) => setInCash(currentTarget.checked)}
          />
        )}
        {takesCash && <MoneyInput size="md" label={t`Cash received`} cents={given} onChange={setGiven} />}
        <MoneyInput size="md" label={t`Tip in cash`} cents={tip} onChange={setTip} />
        {takesCash && (
          <div className={classes.two}>
            <div>
              <Text size="sm">{t`To take`}</Text>
              <Money cents={cash.owed + (tip ?? 0)} className={classes.due} />
            </div>
            <div>
              <Text size="sm">{t`Change`}</Text>
              <Money cents={cash.change} className={classes.due} />
            </div>
          </div>
        )}
        <SignaturePad onSigned={setSignature} />
        {obstacle !== null && <Alert color="yellow">{obstacle}</Alert>}
        <Button size="lg" disabled={obstacle !== null} onClick={handOver}>
          {isPart ? t`Hand over a part` : t`Hand over`}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t`Back`}
        </Button>
      </Stack>
    </TypedFieldsContext>
  );
}

const partOf = (taken: ReadonlyMap<number, number>) =>
  [...taken]
    .filter(([, quantity]) => quantity > 0)
    .map(([lineItemId, quantity]) => ({ lineItemId, quantity }));

/** The tip is none of the payment: what was given without it, unless it was the exact amount. */
function paymentOf(paymentTypeId: number, owed: number, given: number | null, tip: number) {
  const tendered = given === null ? owed : given - tip;
  return { paymentTypeId, remaining: true as const, ...(tendered !== owed && { tendered }) };
}

/** What is taken of each item; everything at first. */
function Taken({
  stop,
  taken,
  onTaken,
}: {
  stop: TripStop;
  taken: ReadonlyMap<number, number>;
  onTaken: (taken: ReadonlyMap<number, number>) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        {t`Only a part is taken`}
      </Button>
    );
  }
  return stop.lines.map(({ lineItemId, productName, optionName, quantity }) => {
    const name = `${productName}, ${optionName}`;
    return (
      <Group key={lineItemId} justify="space-between" wrap="nowrap">
        <Text flex={1}>{name}</Text>
        <QuantityStepper
          label={t`Quantity of ${name}`}
          value={taken.get(lineItemId) ?? 0}
          max={quantity}
          onChange={(next) => onTaken(new Map([...taken, [lineItemId, next]]))}
        />
      </Group>
    );
  });
}
