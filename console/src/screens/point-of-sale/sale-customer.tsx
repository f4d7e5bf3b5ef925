import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconUser, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CustomerPicker, customerName } from '../../parts/customer-picker.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { plural, t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import { BoughtLast } from './bought-last.tsx';
import type { Cart, CartChange, Customer } from './cart.ts';
import { CustomerNote } from './customer-note.tsx';
import { NewCustomerForm } from './new-customer-form.tsx';
import classes from './point-of-sale.module.css';

/** The customer at the top of the cart: a known customer with data to compare with the ID, or a walk-in. */
export function SaleCustomer({
  cart,
  isAlone,
  onChange,
  onOpen,
}: {
  cart: Cart;
  /** The service cannot be reached: nothing is looked up. */
  isAlone: boolean;
  onChange: (change: CartChange) => void;
  onOpen: () => void;
}) {
  const { customer } = cart;
  const isOnFile = customer !== null && !isAlone;
  return (
    <div className={classes.customer}>
      <div className={classes.who}>
        <Text component="span" fw={650} truncate>
          {customer ? customerName(customer) : cart.walkInName || t`Walk-in`}
        </Text>
        {customer && <CustomerBadges customer={customer} />}
      </div>
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <Button variant="default" size="sm" leftSection={<IconUser size={16} aria-hidden />} onClick={onOpen}>
          {customer ? t`Change` : t`Customer`}
        </Button>
        {customer && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t`Remove ${customerName(customer)}`}
            onClick={() => onChange({ type: 'customer', customer: null })}
          >
            <IconX size={18} />
          </ActionIcon>
        )}
      </Group>
      <Text component="div" size="xs" c="dimmed" className={classes.facts}>
        {customer ? (
          <IdentityLine customer={customer} />
        ) : cart.birthday ? (
          t`born ${dayInWords(cart.birthday)}`
        ) : (
          t`No profile: no points, no purchase history`
        )}
      </Text>
      {isOnFile && <BuysFor cart={cart} customer={customer} onChange={onChange} />}
      {isOnFile && <CustomerNote customer={customer} onChange={onChange} />}
      {isOnFile && <BoughtLast customer={customer} onChange={onChange} />}
    </div>
  );
}

/** For a caregiver: for whom they buy. The limits and taxes of the patient hold. */
function BuysFor({
  cart,
  customer,
  onChange,
}: {
  cart: Cart;
  customer: Customer;
  onChange: (change: CartChange) => void;
}) {
  const { data } = useQuery({ ...customerQuery(customer.id), staleTime: 60_000 });
  if (!data || data.patients.length === 0) return null;
  return (
    <Select
      size="xs"
      label={t`Buys for`}
      data={[
        { value: '', label: t`Themselves` },
        ...data.patients.map(({ customerId, name }) => ({ value: String(customerId), label: name })),
      ]}
      value={cart.patientId == null ? '' : String(cart.patientId)}
      onChange={(value) => onChange({ type: 'set', values: { patientId: value ? Number(value) : null } })}
    />
  );
}

/** Adults of every state that sells to adults are 21; a patient with a card may be 18. The service decides at the price. */
const adultAge = 21;
const patientAge = 18;

/** The age, red where it is too low, and the medical card; large enough to compare at arm's length. */
function CustomerBadges({ customer: { birthday, medicalExpiration } }: { customer: Customer }) {
  const today = useToday();
  const age = birthday === null ? null : ageOn(today, birthday);
  const isPatient = medicalExpiration !== null && medicalExpiration >= today;
  const isYoung = age !== null && age < (isPatient ? patientAge : adultAge);
  return (
    <>
      <Badge
        className="status numbers"
        size="lg"
        radius="sm"
        variant={isYoung ? 'filled' : 'light'}
        color={isYoung ? 'red' : age === null ? 'yellow' : 'teal'}
      >
        {age === null ? t`Age ?` : t`Age ${age}`}
      </Badge>
      {isPatient && <StatusBadge status="medical" tone="good" />}
    </>
  );
}

/** What to compare with the ID, whether it is still valid, and the points: one line. */
function IdentityLine({ customer: { birthday, licenseExpiry, loyalty } }: { customer: Customer }) {
  const today = useToday();
  const isExpired = licenseExpiry !== null && licenseExpiry < today;
  return (
    <>
      <span>{birthday ? t`born ${dayInWords(birthday)}` : t`no birthday on file: check the ID`}</span>
      <span data-bad={isExpired || undefined}>
        {licenseExpiry === null
          ? t`no ID on file`
          : isExpired
            ? t`ID expired ${dayInWords(licenseExpiry)}`
            : t`ID valid until ${dayInWords(licenseExpiry)}`}
      </span>
      <span>
        {plural(loyalty.pointsAmount, { one: t`1 point`, other: t`${loyalty.pointsAmount} points` })}
      </span>
    </>
  );
}

function useToday(): string {
  return shopDayAt(shopNow(), useSession().organization.tz);
}

/** Shown when a customer is called while the cart has items of another customer: asks whose they are. */
export function CalledDialog({
  cart,
  customer,
  onKeep,
  onStartOver,
  onClose,
}: {
  cart: Cart;
  customer: Customer;
  onKeep: () => void;
  onStartOver: () => void;
  onClose: () => void;
}) {
  const name = customerName(customer);
  const owner = cart.customer ? customerName(cart.customer) : cart.walkInName || t`a walk-in`;
  const answer = (act: () => void) => () => {
    act();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t`${name} is next`}>
      <Text size="sm">{t`The cart has items for ${owner}. Are these items for ${name}?`}</Text>
      <Stack mt="lg" gap="sm">
        <Button size="lg" onClick={answer(onKeep)} data-autofocus>
          {t`Keep the items`}
        </Button>
        <Button size="lg" variant="default" onClick={answer(onStartOver)}>
          {t`Start over`}
        </Button>
      </Stack>
    </Modal>
  );
}

/** Chooses the customer: an existing one, a new one, or a walk-in. */
export function CustomerDialog({
  cart,
  onChange,
  onClose,
}: {
  cart: Cart;
  onChange: (change: CartChange) => void;
  onClose: () => void;
}) {
  const [who, setWho] = useState<'file' | 'new' | 'walk-in'>('file');
  const choose = (customer: Customer | null) => {
    onChange({ type: 'customer', customer });
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t`Choose customer`} size="lg">
      <SegmentedControl
        aria-label={t`Kind of customer`}
        fullWidth
        mb="md"
        data={[
          { value: 'file', label: t`Existing customer` },
          { value: 'new', label: t`New customer` },
          { value: 'walk-in', label: t`Walk-in` },
        ]}
        value={who}
        onChange={(value) => setWho(value as typeof who)}
      />
      {who === 'file' && (
        <CustomerPicker
          label={t`Customer`}
          description={cart.customer ? t`Now ${customerName(cart.customer)}` : undefined}
          data-autofocus
          // What is typed finds another one: it is no longer the name of the present one.
          customer={null}
          onChange={(customer) => customer && choose(customer)}
        />
      )}
      {who === 'new' && <NewCustomerForm onDone={choose} onCancel={onClose} />}
      {who === 'walk-in' && <WalkIn cart={cart} onChange={onChange} onClose={onClose} />}
    </Modal>
  );
}

function WalkIn({
  cart,
  onChange,
  onClose,
}: {
  cart: Cart;
  onChange: (change: CartChange) => void;
  onClose: () => void;
}) {
  const { tz } = useSession().organization;
  const [name, setName] = useState(cart.walkInName);
  const [birthday, setBirthday] = useState<string | null>(null);
  const today = shopDayAt(shopNow(), tz);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ type: 'customer', customer: null });
        onChange({ type: 'set', values: { walkInName: name } });
        onClose();
      }}
    >
      <TextInput
        label={t`Name`}
        description={t`For the receipt; no profile is created`}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <DayInput
        mt="md"
        label={t`Birthday on the ID`}
        description={t`To check the age; it is not saved`}
        max={today}
        day={birthday}
        onChange={setBirthday}
      />
      {birthday && (
        <Alert mt="md" color="gray" title={t`Age ${ageOn(today, birthday)}`}>
          {t`Born ${dayInWords(birthday)}. Compare it with the minimum age of your state.`}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button type="submit">{t`Sell to a walk-in`}</Button>
      </Group>
    </form>
  );
}
