import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
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
import { t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import type { Cart, CartChange, Customer } from './cart.ts';
import { NewCustomerForm } from './new-customer-form.tsx';
import classes from './point-of-sale.module.css';

/** The customer at the top of the cart: a known customer with data to compare with the ID, or a walk-in. */
export function SaleCustomer({
  cart,
  onChange,
  onOpen,
}: {
  cart: Cart;
  onChange: (change: CartChange) => void;
  onOpen: () => void;
}) {
  const { customer } = cart;
  return (
    <div className={classes.customer}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600} truncate>
              {customer ? customerName(customer) : cart.walkInName || t`Walk-in`}
            </Text>
            {customer && <MedicalBadge customer={customer} />}
          </Group>
          {customer && <BuysFor cart={cart} customer={customer} onChange={onChange} />}
          {customer ? (
            <IdentityLine customer={customer} />
          ) : (
            <Text size="xs" c="dimmed">
              {t`No profile: no points, no purchase history`}
            </Text>
          )}
        </div>
        <Group gap={4} wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconUser size={16} aria-hidden />}
            onClick={onOpen}
          >
            {customer ? t`Change` : t`Customer`}
          </Button>
          {customer && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={t`Remove ${customerName(customer)}`}
              onClick={() => onChange({ type: 'customer', customer: null })}
            >
              <IconX size={18} />
            </ActionIcon>
          )}
        </Group>
      </Group>
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

function MedicalBadge({ customer }: { customer: Customer }) {
  const { tz } = useSession().organization;
  const today = shopDayAt(shopNow(), tz);
  if (!customer.medicalExpiration || customer.medicalExpiration < today) return null;
  return <StatusBadge status="medical" tone="good" />;
}

/** Age, license and points, large enough to compare at arm's length; and what is missing or expired. */
function IdentityLine({ customer }: { customer: Customer }) {
  const { tz } = useSession().organization;
  const today = shopDayAt(shopNow(), tz);
  const { birthday, licenseExpiry, loyalty } = customer;
  const isExpired = licenseExpiry !== null && licenseExpiry < today;
  return (
    <div className={classes.identity}>
      <div>
        <span className={classes.large}>{birthday ? t`Age ${ageOn(today, birthday)}` : t`Age ?`}</span>
        <Text size="xs" c="dimmed">
          {birthday ? t`born ${dayInWords(birthday)}` : t`no birthday on file: check the ID`}
        </Text>
      </div>
      <div>
        <span className={classes.large} data-bad={isExpired || undefined}>
          {licenseExpiry === null ? t`No license` : dayInWords(licenseExpiry)}
        </span>
        <Text size="xs" c={isExpired ? 'var(--mantine-color-error)' : 'dimmed'}>
          {licenseExpiry === null ? t`on file` : isExpired ? t`license expired` : t`license valid until`}
        </Text>
      </div>
      <div>
        <span className={classes.large}>{loyalty.pointsAmount}</span>
        <Text size="xs" c="dimmed">
          {t`points`}
        </Text>
      </div>
    </div>
  );
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
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={answer(onStartOver)}>
          {t`Start over`}
        </Button>
        <Button onClick={answer(onKeep)} data-autofocus>
          {t`Keep the items`}
        </Button>
      </Group>
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
