import { Button, Select, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import classes from '../../parts/phone.module.css';
import { PhoneAmount } from '../../parts/phone-amount.tsx';
import { Field, useFieldError } from '../../parts/server-form.tsx';
import { t } from '../../words/words.ts';
import type { locationChoices } from '../inventory/stock-words.ts';
import { InvoicedCost, MoreIsMeant, PackageFields, useNeedsTag } from './portion-fields.tsx';
import { lineName, type PurchaseLine } from './purchase-words.ts';
import type { Portion } from './receive-portions.ts';

interface OfLine {
  readonly line: PurchaseLine;
  readonly portions: readonly Portion[];
  readonly locations: ReturnType<typeof locationChoices>;
  readonly indexOf: (portion: Portion) => number;
  readonly onChange: (key: string, changes: Partial<Portion>) => void;
  readonly onAdd: () => void;
  readonly onRemove: (key: string) => void;
}

/** A line of a delivery on a phone: the amount for a thumb, the rest on demand. */
export function PhonePortions({ isAtHand, ...props }: OfLine & { isAtHand: boolean }) {
  const { line, portions, onAdd, onRemove } = props;
  const isDone = portions.some(({ amount }) => amount !== '');
  return (
    <section
      className={isAtHand ? classes.atHand : classes.line}
      data-done={isDone || undefined}
      aria-label={isAtHand ? t`Scanned last` : lineName(line)}
    >
      <div className={isAtHand ? classes.atHandName : classes.name}>{lineName(line)}</div>
      <Text size="sm" c="dimmed" className="numbers">
        {t`${line.amountReceived} of ${line.amount} received so far`}
      </Text>
      {portions.map((portion, at) => (
        <PhonePortion
          key={portion.key}
          {...props}
          portion={portion}
          name={portions.length === 1 ? lineName(line) : t`${lineName(line)}, portion ${at + 1}`}
          isAtHand={isAtHand}
          onRemove={portions.length > 1 ? () => onRemove(portion.key) : undefined}
        />
      ))}
      {isDone && (
        <Button
          variant="subtle"
          h={44}
          justify="start"
          leftSection={<IconPlus size={20} aria-hidden />}
          onClick={onAdd}
        >
          {t`Another location or package`}
        </Button>
      )}
    </section>
  );
}

function PhonePortion({
  portion,
  line,
  name,
  isAtHand,
  locations,
  indexOf,
  onChange,
  onRemove,
}: Omit<OfLine, 'onRemove'> & {
  portion: Portion;
  name: string;
  isAtHand: boolean;
  onRemove: (() => void) | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const needsTag = useNeedsTag(line);
  const path = (field: string) => `[${indexOf(portion)}].${field}`;
  const change = (changes: Partial<Portion>) => onChange(portion.key, changes);
  const [labelError, locationError, amountError] = [
    useFieldError(path('package.label')),
    useFieldError(path('inventoryLocationId')),
    useFieldError(path('amount')),
  ];
  const isShown =
    isOpen || labelError !== undefined || locationError !== undefined || amountError !== undefined;
  const place = locations.find(({ value }) => value === portion.location)?.label ?? t`No location`;
  return (
    <>
      <Field path={path('amount')}>
        {(error) => (
          <PhoneAmount
            label={t`Received of ${name}`}
            isLarge={isAtHand}
            before={line.amount}
            error={error}
            value={portion.amount}
            onChange={(amount) => change({ amount })}
          />
        )}
      </Field>
      <Button
        variant="default"
        h={44}
        fw={400}
        aria-expanded={isShown}
        aria-label={t`Location and package of ${name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {place},{' '}
        {portion.label === '' ? (needsTag ? t`no tag yet` : t`loose`) : `…${portion.label.slice(-7)}`}
      </Button>
      {/* Always drawn: a refusal of the service shows beside its field. */}
      <div hidden={!isShown} className={classes.controls}>
        <PlaceFields
          {...{ portion, path, locations, change, onRemove }}
          cost={line.costPerUnit}
          needsTag={needsTag}
        />
      </div>
    </>
  );
}

/** Where the goods are put, and in which package. */
function PlaceFields({
  cost,
  needsTag,
  portion,
  path,
  locations,
  change,
  onRemove,
}: {
  cost: string;
  needsTag: boolean;
  portion: Portion;
  path: (field: string) => string;
  locations: OfLine['locations'];
  change: (changes: Partial<Portion>) => void;
  onRemove: (() => void) | undefined;
}) {
  return (
    <>
      <Field path={path('inventoryLocationId')}>
        {(error) => (
          <Select
            label={t`Location`}
            size="lg"
            error={error}
            data={choicesOr(locations, { data: locations, error: null }, createHints.locations)}
            value={portion.location}
            onChange={(location) => change({ location })}
          />
        )}
      </Field>
      <MoreIsMeant portion={portion} path={path('amount')} onChange={change} />
      <InvoicedCost portion={portion} ordered={cost} path={path('costPerUnit')} size="lg" onChange={change} />
      <PackageFields {...{ portion, path, needsTag }} size="lg" onChange={change} />
      {onRemove && (
        <Button
          variant="light"
          color="red"
          h={44}
          leftSection={<IconTrash size={20} aria-hidden />}
          onClick={onRemove}
        >
          {t`Remove this portion`}
        </Button>
      )}
    </>
  );
}
