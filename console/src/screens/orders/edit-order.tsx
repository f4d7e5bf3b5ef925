import { ActionIcon, Button, Modal, SimpleGrid, Skeleton, Text, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { OptionSearch } from '../../parts/option-search.tsx';
import { QuantityStepper } from '../../parts/quantity-stepper.tsx';
import { ReductionFields } from '../../parts/reduction-fields.tsx';
import { adjustmentsBody } from '../../parts/reductions.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import { useDiscounts } from '../../parts/use-discounts.ts';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { useOptionLookUps } from '../../parts/use-option-look-ups.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { t } from '../../words/words.ts';
import { type EditableOrder, editableOrder, editedField } from './editable-order.ts';
import classes from './order-detail.module.css';
import { stepWords } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { orderKey, useOrderStep } from './use-order-step.ts';

interface DialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Edits a draft or new order: items, notes, manual discounts. Lines that stay keep their prices and discounts. */
export function EditOrderDialog({ order, onClose }: DialogProps) {
  const discounts = useDiscounts({ ended: true });
  return (
    <Modal opened onClose={onClose} title={t`Edit ${orderTitle(order).toLowerCase()}`} size="xl">
      {discounts.isPending ? (
        <Skeleton height={320} />
      ) : (
        <EditForm order={order} discounts={discounts.data ?? []} onClose={onClose} />
      )}
    </Modal>
  );
}

function EditForm({
  order,
  discounts,
  onClose,
}: DialogProps & { discounts: readonly Schema['StaffDiscount'][] }) {
  const queryClient = useQueryClient();
  const step = useOrderStep();
  const [added, setAdded] = useState<ReadonlyMap<number, string>>(new Map());
  const named = new Map(
    order.lineItems.map((line) => [line.optionId, `${line.productName}, ${line.optionName}`]),
  );
  const nameOf = (id: number) => named.get(id) ?? added.get(id) ?? t`Option ${id}`;
  const path = { orderId: order.id };
  const edit = useGuardedEdit<Order, EditableOrder>({
    saved: order,
    editedOf: (saved) => editableOrder(saved, discounts),
    save: ({ taxExempt, adjustments, ...changes }, updatedAt) => {
      const body = {
        ...changes,
        ...(taxExempt && { taxExempt }),
        ...(adjustments && { adjustments: adjustmentsBody(adjustments) }),
      };
      const headers = ifUnchanged(updatedAt);
      return step(order.id, () =>
        dataOf(api.PATCH('/staff/v1/orders/{orderId}', { params: { path }, body, headers })),
      );
    },
    load: () => dataOf(api.GET('/staff/v1/orders/{orderId}', { params: { path } })),
    accept: () => {
      void queryClient.invalidateQueries({ queryKey: orderKey(order.id) });
      onClose();
    },
    shown: (name, value) => editedField(name, value, nameOf),
  });
  const { draft, set } = edit;
  const add = ({ productOptionId, productName, optionName }: SaleOption) => {
    setAdded(new Map([...added, [productOptionId, `${productName}, ${optionName}`]]));
    const there = draft.lineItems.some((line) => line.productOptionId === productOptionId);
    set(
      'lineItems',
      there
        ? draft.lineItems.map((line) =>
            line.productOptionId === productOptionId ? { ...line, quantity: line.quantity + 1 } : line,
          )
        : [...draft.lineItems, { productOptionId, quantity: 1 }],
    );
  };
  return (
    <>
      <ServerForm
        onSubmit={edit.submit}
        onStale={() => {}}
        onCancel={onClose}
        onDone={() => notifyDone(stepWords.edit.done)}
      >
        <EditedLines
          lines={draft.lineItems}
          orderType={order.type}
          nameOf={nameOf}
          onChange={(lines) => set('lineItems', lines)}
          onAdd={add}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NotesField
            path="deliveryNotes"
            label={t`Customer notes`}
            value={draft.deliveryNotes}
            onChange={(notes) => set('deliveryNotes', notes)}
          />
          <NotesField
            path="internalNotes"
            label={t`Internal notes`}
            value={draft.internalNotes}
            onChange={(notes) => set('internalNotes', notes)}
          />
        </SimpleGrid>
        <SectionCard title={t`Discounts and taxes`}>
          <ReductionFields
            value={draft}
            keepsExemption={order.taxExemptReason !== null}
            discounts={discounts.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > shopNow())}
            onChange={(changes) => {
              for (const name of Object.keys(changes) as (keyof typeof changes)[]) {
                set(name, changes[name] as EditableOrder[typeof name]);
              }
            }}
          />
        </SectionCard>
        <Text size="xs" c="dimmed">
          {t`Items that stay keep their prices and discounts; new items have current ones. “Use current prices” gives everything current prices.`}
        </Text>
      </ServerForm>
      {edit.conflict}
    </>
  );
}

function EditedLines({
  lines,
  orderType,
  nameOf,
  onChange,
  onAdd,
}: {
  lines: EditableOrder['lineItems'];
  orderType: Order['type'];
  nameOf: (productOptionId: number) => string;
  onChange: (lines: EditableOrder['lineItems']) => void;
  onAdd: (option: SaleOption) => void;
}) {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col">{t`Item`}</th>
            <th scope="col">{t`Quantity`}</th>
            <th scope="col">
              <span className="unseen">{t`Remove`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.productOptionId}>
              <td>{nameOf(line.productOptionId)}</td>
              <td>
                <QuantityStepper
                  label={t`Quantity of ${nameOf(line.productOptionId)}`}
                  min={1}
                  value={line.quantity}
                  onChange={(quantity) =>
                    onChange(
                      lines.map((each) =>
                        each.productOptionId === line.productOptionId ? { ...each, quantity } : each,
                      ),
                    )
                  }
                />
              </td>
              <td data-align="end">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={t`Remove ${nameOf(line.productOptionId)}`}
                  onClick={() =>
                    onChange(lines.filter(({ productOptionId }) => productOptionId !== line.productOptionId))
                  }
                >
                  <IconTrash size={18} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAdding ? (
        <div style={{ height: 260, marginTop: 8 }}>
          <AddedOption onAdd={onAdd} orderType={orderType} />
        </div>
      ) : (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setIsAdding(true)}
        >
          {t`Add an item`}
        </Button>
      )}
    </div>
  );
}

/** Adds an item to the order by name or scan. */
function AddedOption({
  onAdd,
  orderType,
}: {
  onAdd: (option: SaleOption) => void;
  orderType: Order['type'];
}) {
  const lookUps = useOptionLookUps(onAdd);
  useScans(lookUps.take);
  return (
    <OptionSearch onAdd={onAdd} lookUps={lookUps} label={t`Search for an item to add`} stockFor={orderType} />
  );
}

function NotesField({
  path,
  label,
  value,
  onChange,
}: {
  path: string;
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  return (
    <Field path={path}>
      {(error) => (
        <Textarea
          label={label}
          autosize
          minRows={2}
          maxRows={5}
          error={error}
          value={value ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      )}
    </Field>
  );
}
