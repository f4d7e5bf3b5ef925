import { ActionIcon, Alert, Anchor, Button, Group, Select, Skeleton, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { stepped } from '../../parts/decimal-steps.ts';
import { sentWithoutAnswer, useKeptDraft, useKeptKey } from '../../parts/kept-draft.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { useOnPhone } from '../../parts/on-phone.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { useWrite } from '../../parts/use-write.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { locationChoices, locationsQuery } from '../inventory/stock-words.ts';
import { amountLeft } from './amount-left.ts';
import { PhonePortions } from './phone-portions.tsx';
import { InvoicedCost, MoreIsMeant, PackageFields, useNeedsTag } from './portion-fields.tsx';
import {
  lastReceivedAt,
  lineName,
  orderName,
  type PurchaseLine,
  type PurchaseOrder,
  purchaseOrderQuery,
} from './purchase-words.ts';
import classes from './purchasing.module.css';
import { blankPortion, isDraftOf, type Portion, receptionBody } from './receive-portions.ts';
import { useReceiveScans } from './use-receive-scans.ts';

/** Receives goods of a purchase order: all or part of each line, at one or more locations, loose or in packages. */
export function Component() {
  const purchaseOrderId = Number(useParams().purchaseOrderId);
  const order = useQuery(purchaseOrderQuery(purchaseOrderId));
  const locations = useQuery(locationsQuery);
  return (
    <Page>
      <PageHeader title={order.data ? t`Receive ${orderName(order.data)}` : t`Receive goods`}>
        <Anchor component={Link} to={`/purchasing/${purchaseOrderId}`} size="sm" underline="always">
          {t`Back to the order`}
        </Anchor>
      </PageHeader>
      {(order.isPending || locations.isPending) && <Skeleton height={400} radius="md" />}
      {order.error && !order.data && <LoadFailure error={order.error} onRetry={() => order.refetch()} />}
      {locations.error && !locations.data && (
        <LoadFailure error={locations.error} onRetry={() => locations.refetch()} />
      )}
      {order.data && locations.data && (
        <ReceiveForm order={order.data} locations={locationChoices(locations.data)} />
      )}
    </Page>
  );
}

/** What was typed before this page was loaded. */
function KeptEntries({ at, wereSent, onDrop }: { at: number; wereSent: boolean; onDrop: () => void }) {
  const isPhone = useOnPhone();
  return (
    <Alert color="yellow" title={t`Your entries were saved on this device`}>
      {wereSent
        ? sentWithoutAnswer
        : rich`They are of ${<ShopTime at={new Date(at).toISOString()} />} and not saved yet.`}
      <Button ml="sm" h={isPhone ? 44 : undefined} variant="default" onClick={onDrop}>
        {t`Discard them`}
      </Button>
    </Alert>
  );
}

type LocationChoices = ReturnType<typeof locationChoices>;

/** What is typed of a delivery. It is kept until it is saved. */
function usePortions(order: PurchaseOrder, location: string | null) {
  const [blank] = useState<readonly Portion[]>(() =>
    order.lineItems.map((line) => blankPortion(line.id, location)),
  );
  const draft = useKeptDraft(`receive:${order.id}`, blank, isDraftOf(order));
  const { set } = draft;
  const change = useCallback(
    (key: string, changes: Partial<Portion>) =>
      set((before) => before.map((it) => (it.key === key ? { ...it, ...changes } : it))),
    [set],
  );
  const remove = useCallback((key: string) => set((before) => before.filter((it) => it.key !== key)), [set]);
  return {
    ...draft,
    change,
    remove,
    add: (lineId: number) => set((before) => [...before, blankPortion(lineId, location)]),
    oneMore: ({ id }: PurchaseLine) =>
      set((before) => {
        const last = before.findLast(({ lineItemId }) => lineItemId === id);
        return before.map((it) => (it === last ? { ...it, amount: stepped(it.amount, 1) } : it));
      }),
    /** The last portion gets the label; if it has another one, the goods are a further portion. */
    label: ({ id }: PurchaseLine, label: string) =>
      set((before) => {
        if (before.some((it) => it.lineItemId === id && it.label === label)) return before;
        const last = before.findLast(({ lineItemId }) => lineItemId === id);
        if (last?.label !== '')
          return [...before, { ...blankPortion(id, last?.location ?? location), label }];
        return before.map((it) => (it === last ? { ...it, label } : it));
      }),
    /** Fills in what is left of each line that has no amount. */
    fillIn: () =>
      set((before) => {
        const firsts = new Map(before.toReversed().map((portion) => [portion.lineItemId, portion]));
        return before.map((portion) => {
          const line = order.lineItems.find(({ id }) => id === portion.lineItemId);
          const left = line ? amountLeft(line.amount, line.amountReceived) : '0';
          const isToFill =
            portion.amount === '' && firsts.get(portion.lineItemId) === portion && left !== '0';
          return isToFill ? { ...portion, amount: left } : portion;
        });
      }),
  };
}

/** Undoes what was received at an instant. */
function useUndoReception(purchaseOrderId: number, show: (present: PurchaseOrder) => void) {
  return useWrite({
    mutationFn: (receivedAt: string) =>
      dataOf(
        api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/undo-reception', {
          params: { path: { purchaseOrderId: purchaseOrderId } },
          body: { receivedAt },
        }),
      ),
    onSuccess: (present) => {
      show(present);
      notifyDone(t`The receipt is undone.`);
    },
    onError: notifyError,
  });
}

function ReceiveForm({ order, locations }: { order: PurchaseOrder; locations: LocationChoices }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isPhone = useOnPhone();
  const draft = usePortions(order, locations[0]?.value ?? null);
  const portions = draft.value;
  const scanned = useReceiveScans(order, { onOneMore: draft.oneMore, onLabel: draft.label });
  // Empty portions were not received; the index in the body counts only the filled ones.
  const sent = portions.filter(({ amount }) => amount !== '');
  const leave = () => void navigate(`/purchasing/${order.id}`);
  const show = (present: PurchaseOrder) => {
    queryClient.setQueryData(purchaseOrderQuery(order.id).queryKey, present);
    for (const key of ['purchase-orders', 'inventory', 'inventory-ledger', 'packages']) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };
  const keptKey = useKeptKey(`receive:${order.id}`);
  const record = useKeyedWrite(
    (body: ReturnType<typeof receptionBody>[], idempotencyKey) =>
      api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/receptions', {
        params: { path: { purchaseOrderId: order.id }, query: { idempotencyKey } },
        body,
      }),
    (present) => {
      show(present);
      return t`Each line shows the amount received so far.`;
    },
    keptKey,
  );
  const undo = useUndoReception(order.id, show);
  const receive = async () => {
    const present = await record(sent.map(receptionBody));
    show(present);
    draft.drop();
    const receivedAt = lastReceivedAt(present);
    notifyDone(t`The goods are in stock.`, receivedAt === null ? undefined : () => undo.mutate(receivedAt));
  };
  if (order.status === 'closed') {
    return <Alert color="yellow">{t`This order is closed. Reopen it to receive more.`}</Alert>;
  }
  // The line at hand is the first: a phone shows few.
  const lines = isPhone
    ? order.lineItems.toSorted(
        (one, other) => Number(other.id === scanned.atHand?.id) - Number(one.id === scanned.atHand?.id),
      )
    : order.lineItems;
  const done = new Set(sent.map(({ lineItemId }) => lineItemId)).size;
  return (
    <ServerForm onSubmit={receive} onDone={leave} onCancel={leave} submit={t`Receive`}>
      <CameraScan />
      {scanned.missed !== null && (
        <Alert color="red" role="alert">
          {scanned.missed}
        </Alert>
      )}
      {draft.keptAt !== null && sent.length > 0 && (
        <KeptEntries at={draft.keptAt} wereSent={keptKey.read() !== null} onDrop={draft.drop} />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {isPhone
            ? t`${done} of ${order.lineItems.length} lines received`
            : t`Leave a line empty if it has not arrived. You can receive more than was ordered.`}
        </Text>
        <Button variant="default" {...(isPhone ? { h: 44 } : { size: 'compact-md' })} onClick={draft.fillIn}>
          {t`Fill in all remaining`}
        </Button>
      </Group>
      {lines.map((line) => {
        const props = {
          line,
          locations,
          portions: portions.filter(({ lineItemId }) => lineItemId === line.id),
          indexOf: (portion: Portion) => sent.indexOf(portion),
          onChange: draft.change,
          onAdd: () => draft.add(line.id),
          onRemove: draft.remove,
        };
        return isPhone ? (
          <PhonePortions key={line.id} {...props} isAtHand={scanned.atHand?.id === line.id} />
        ) : (
          <LinePortions key={line.id} {...props} />
        );
      })}
    </ServerForm>
  );
}

function LinePortions({
  line,
  portions,
  locations,
  indexOf,
  onChange,
  onAdd,
  onRemove,
}: {
  line: PurchaseLine;
  portions: readonly Portion[];
  locations: LocationChoices;
  indexOf: (portion: Portion) => number;
  onChange: (key: string, changes: Partial<Portion>) => void;
  onAdd: () => void;
  onRemove: (key: string) => void;
}) {
  const needsTag = useNeedsTag(line);
  return (
    <SectionCard
      title={lineName(line)}
      hint={<span className="numbers">{t`${line.amountReceived} of ${line.amount} received so far.`}</span>}
    >
      {portions.map((portion, at) => (
        <PortionRow
          key={portion.key}
          portion={portion}
          ordered={line.amount}
          cost={line.costPerUnit}
          needsTag={needsTag}
          name={t`${lineName(line)}, portion ${at + 1}`}
          index={indexOf(portion)}
          locations={locations}
          onChange={onChange}
          onRemove={portions.length > 1 ? onRemove : undefined}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        mt="sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={onAdd}
      >
        {t`Another location or package`}
      </Button>
    </SectionCard>
  );
}

/** A letter of a label draws its own portion, not those of the whole delivery. */
const PortionRow = memo(function PortionRow({
  portion,
  ordered,
  cost,
  needsTag,
  name,
  index,
  locations,
  onChange: onChangeOf,
  onRemove,
}: {
  portion: Portion;
  ordered: string;
  cost: string;
  needsTag: boolean;
  name: string;
  index: number;
  locations: LocationChoices;
  onChange: (key: string, changes: Partial<Portion>) => void;
  onRemove: ((key: string) => void) | undefined;
}) {
  const path = (field: string) => `[${index}].${field}`;
  const onChange = (changes: Partial<Portion>) => onChangeOf(portion.key, changes);
  return (
    <fieldset className={`bare ${classes.portion}`} aria-label={name}>
      <Field path={path('amount')}>
        {(error) => (
          <AmountInput
            before={ordered}
            label={t`Received`}
            error={error}
            value={portion.amount}
            onChange={(amount) => onChange({ amount })}
          />
        )}
      </Field>
      <Field path={path('inventoryLocationId')}>
        {(error) => (
          <Select
            label={t`Location`}
            error={error}
            data={choicesOr(locations, { data: locations, error: null }, createHints.locations)}
            value={portion.location}
            onChange={(location) => onChange({ location })}
          />
        )}
      </Field>
      <div className={classes.packageFields}>
        <MoreIsMeant portion={portion} path={path('amount')} onChange={onChange} />
        <InvoicedCost portion={portion} ordered={cost} path={path('costPerUnit')} onChange={onChange} />
        <PackageFields {...{ portion, path, needsTag, onChange }} />
      </div>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="red"
          size={36}
          className={classes.belowLabel}
          aria-label={t`Remove ${name}`}
          onClick={() => onRemove(portion.key)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </fieldset>
  );
});
