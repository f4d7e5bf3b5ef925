import { ActionIcon, Alert, Button, Group, Modal, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconUser, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { CustomerPicker, customerName } from '../../parts/customer-picker.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useSession } from '../../session/session.tsx';
import type { Cart, CartChange, Customer } from './cart.ts';
import { NewCustomerForm } from './new-customer-form.tsx';
import classes from './point-of-sale.module.css';

/** Who buys, on top of the cart: a customer on file with what to compare with the card, or a walk-in. */
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
              {customer ? customerName(customer) : cart.walkInName || 'Walk-in'}
            </Text>
            {customer && <MedicalBadge customer={customer} />}
          </Group>
          {customer ? (
            <IdentityLine customer={customer} />
          ) : (
            <Text size="xs" c="dimmed">
              Not on file: no points, no history of purchases
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
            {customer ? 'Change' : 'Customer'}
          </Button>
          {customer && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={`Without ${customerName(customer)}`}
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

function MedicalBadge({ customer }: { customer: Customer }) {
  const { tz } = useSession().organization;
  const today = shopDayAt(Date.now(), tz);
  if (!customer.medicalExpiration || customer.medicalExpiration < today) return null;
  return <StatusBadge status="medical" tone="good" />;
}

/** Age and license, and what is missing or over. */
function IdentityLine({ customer }: { customer: Customer }) {
  const { tz } = useSession().organization;
  const today = shopDayAt(Date.now(), tz);
  const { birthday, licenseExpiry, loyalty } = customer;
  const isExpired = licenseExpiry !== null && licenseExpiry < today;
  return (
    <Text size="xs" c="dimmed">
      {birthday
        ? `Age ${ageOn(today, birthday)}, born ${dayInWords(birthday)}`
        : 'No birthday on file: look at the card'}
      {' · '}
      <Text span inherit c={isExpired ? 'var(--mantine-color-error)' : undefined}>
        {licenseExpiry === null
          ? 'no license on file'
          : `license ${isExpired ? 'expired' : 'until'} ${dayInWords(licenseExpiry)}`}
      </Text>
      {' · '}
      {loyalty.pointsAmount} points
    </Text>
  );
}

/** Somebody is called while goods of somebody else lie in the cart: whose they are is asked. */
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
  const owner = cart.customer ? customerName(cart.customer) : cart.walkInName || 'a walk-in';
  const answer = (act: () => void) => () => {
    act();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`${name} is next`}>
      <Text size="sm">
        The cart is not empty: what lies in it was put there for {owner}. Are these goods for {name}?
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={answer(onKeep)}>
          Keep the goods
        </Button>
        <Button onClick={answer(onStartOver)} data-autofocus>
          Start over
        </Button>
      </Group>
    </Modal>
  );
}

/** Chooses who buys: somebody on file, somebody new, or nobody in particular. */
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
    <Modal opened onClose={onClose} title="Who buys?" size="lg">
      <SegmentedControl
        aria-label="Who buys"
        fullWidth
        mb="md"
        data={[
          { value: 'file', label: 'On file' },
          { value: 'new', label: 'New customer' },
          { value: 'walk-in', label: 'Walk-in' },
        ]}
        value={who}
        onChange={(value) => setWho(value as typeof who)}
      />
      {who === 'file' && (
        <CustomerPicker
          label="Customer"
          data-autofocus
          customer={cart.customer}
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
  const today = shopDayAt(Date.now(), tz);
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
        label="Name"
        description="For the receipt; nothing is put on file"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <DayInput
        mt="md"
        label="Birthday on the card"
        description="To see the age; it is not kept"
        max={today}
        day={birthday}
        onChange={setBirthday}
      />
      {birthday && (
        <Alert mt="md" color="gray" title={`Age ${ageOn(today, birthday)}`}>
          Born {dayInWords(birthday)}. Compare with what the state asks for.
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button type="submit">Sell to a walk-in</Button>
      </Group>
    </form>
  );
}
