import { Alert, Modal, Radio, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { CustomerPicker, customerName } from '../../parts/customer-picker.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { customerQuery } from './customer-query.ts';
import classes from './customers.module.css';

type Customer = Schema['StaffCustomerDetail'];

interface Props {
  readonly customer: Customer;
  /** The duplicate, if it is known; then the screen stays where it is. */
  readonly duplicate?: Schema['StaffCustomer'];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Merges two records of one person: both side by side, and a choice of which stays. */
export function MergeCustomersDialog(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t`Merge ${customerName(props.customer)} with a duplicate`}
      size="xl"
    >
      {props.opened && <MergeForm {...props} />}
    </Modal>
  );
}

function MergeForm({ customer, duplicate, onClose }: Props) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [picked, setPicked] = useState<Schema['StaffCustomer'] | null>(duplicate ?? null);
  const [survivorId, setSurvivorId] = useState(customer.id);
  const twin = useQuery({ ...customerQuery(picked?.id ?? 0), enabled: picked !== null });
  const [isMissing, setIsMissing] = useState(false);
  const merge = async () => {
    if (!picked) {
      setIsMissing(true);
      return;
    }
    const leavingId = survivorId === customer.id ? picked.id : customer.id;
    const survivor = await dataOf(
      api.POST('/staff/v1/customers/{customerId}/merge', {
        params: { path: { customerId: leavingId } },
        body: { intoCustomerId: survivorId },
      }),
    );
    onClose();
    notifyDone(t`The customers are merged: ${customerName(survivor)}.`);
    if (!duplicate && survivorId !== customer.id)
      await navigate(`/customers/${survivorId}`, { replace: true });
    queryClient.removeQueries({ queryKey: ['customers', leavingId] });
    void queryClient.invalidateQueries({ queryKey: ['customers'] });
  };
  return (
    <ServerForm onSubmit={merge} onCancel={onClose} submit={t`Merge permanently`} isDangerous>
      <CustomerPicker
        label={t`The duplicate`}
        data-autofocus
        customer={picked}
        onChange={(next) => {
          setPicked(next);
          setIsMissing(false);
          setSurvivorId(customer.id);
        }}
        excluding={customer.id}
        error={isMissing ? t`Choose the duplicate` : undefined}
      />
      {picked && twin.isPending && <Skeleton height={240} />}
      {picked && twin.error && <LoadFailure error={twin.error} onRetry={() => twin.refetch()} />}
      {picked && twin.data && (
        <>
          <Radio.Group
            label={t`Keep`}
            value={String(survivorId)}
            onChange={(id) => setSurvivorId(Number(id))}
          >
            <div className={classes.twins}>
              <CustomerFacts customer={customer} other={twin.data} />
              <CustomerFacts customer={twin.data} other={customer} />
            </div>
          </Radio.Group>
          <Alert color="yellow" title={t`This cannot be undone`}>
            {t`Orders, credits, points, groups, documents and the place in the queue move to the customer you keep. Their blank fields are filled in. The other record is deleted.`}
          </Alert>
        </>
      )}
    </ServerForm>
  );
}

function CustomerFacts({ customer, other }: { customer: Customer; other: Customer }) {
  const facts: readonly [string, keyof Customer | null, ReactNode][] = [
    [t`Name`, null, customerName(customer)],
    [t`Phone`, 'phone', customer.phone && phoneInWords(customer.phone)],
    [t`Email`, 'email', customer.email],
    [t`Birthday`, 'birthday', customer.birthday && dayInWords(customer.birthday)],
    [t`License until`, 'licenseExpiry', customer.licenseExpiry && dayInWords(customer.licenseExpiry)],
    [
      t`Medical until`,
      'medicalExpiration',
      customer.medicalExpiration && dayInWords(customer.medicalExpiration),
    ],
    [t`Groups`, null, customer.customerGroups.join(', ')],
    [t`Points`, null, customer.loyalty.pointsAmount],
    [t`Orders`, null, customer.orderCount],
    [t`Total spent, before returns`, null, <Money key="spent" cents={customer.spent} />],
    [t`Customer since`, null, <ShopTime key="since" at={customer.joinedAt} style="date" />],
  ];
  return (
    <div className={classes.twin}>
      <Radio value={String(customer.id)} label={t`${customerName(customer)} stays`} fw={600} />
      <dl className={`${classes.facts} numbers`}>
        {facts.map(([name, field, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>
              <Text span inherit fw={field && customer[field] !== other[field] ? 600 : undefined}>
                {value === null || value === '' ? '–' : value}
              </Text>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
