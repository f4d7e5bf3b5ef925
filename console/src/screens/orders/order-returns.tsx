import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { Money } from '../../parts/money.tsx';
import { atOwnRegister } from '../../parts/own-register.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, sentence } from '../../parts/status-badge.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { RoleGate } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { Facts } from './order-cards.tsx';
import { type Order, staffName } from './order-words.ts';
import { useOrderStep } from './use-order-step.ts';

type OrderReturn = Schema['OrderReturn'];

/** The returns of an order with their refunds; managers can void a return. */
export function OrderReturns({ order }: { order: Order }) {
  const [voided, setVoided] = useState<OrderReturn | null>(null);
  if (order.returns.length === 0) return null;
  return (
    <SectionCard title={t`Returns`}>
      <Stack gap="lg">
        {order.returns.map((each) => (
          <ReturnCard key={each.id} order={order} shown={each} onVoid={() => setVoided(each)} />
        ))}
      </Stack>
      <Modal opened={voided !== null} onClose={() => setVoided(null)} title={t`Void return`}>
        {voided && <VoidForm order={order} voided={voided} onClose={() => setVoided(null)} />}
      </Modal>
    </SectionCard>
  );
}

const actionWords = {
  inventory: t`back to stock`,
  quarantine: t`quarantine`,
  waste: t`waste`,
  vendor: t`back to the vendor`,
} as const;

function ReturnCard({ order, shown, onVoid }: { order: Order; shown: OrderReturn; onVoid: () => void }) {
  const nameOf = (lineId: number) => {
    const line = order.lineItems.find(({ id }) => id === lineId);
    return line ? `${line.productName}, ${line.optionName}` : t`Line ${lineId}`;
  };
  const refundedTaxes = shown.taxes.filter(({ refunded }) => refunded);
  return (
    <section aria-label={t`Return of ${dollars(-shown.refundTotal)}`}>
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            <ShopTime at={shown.createdAt} />
            {staffName(shown.createdBy) && ` · ${staffName(shown.createdBy)}`}
          </Text>
          {shown.voidedAt && <StatusBadge status="voided" tone="bad" />}
        </Group>
        {!shown.voidedAt && (
          <RoleGate right="voidOrderReturn">
            <Button variant="subtle" color="red" size="compact-sm" onClick={onVoid}>
              {t`Void`}
            </Button>
          </RoleGate>
        )}
      </Group>
      {shown.lineItems.map((line) => (
        <Text size="sm" key={`${line.orderLineItemId} ${line.inventoryAction} ${line.reason}`}>
          {line.quantity} × {nameOf(line.orderLineItemId)}: {actionWords[line.inventoryAction]}
          {line.type === 'exchange' && t`, exchanged`}
          <Text span size="xs" c="dimmed">
            {' '}
            “{line.reason}”
          </Text>
        </Text>
      ))}
      <div style={{ maxWidth: 400, margin: '8px 0 0 auto' }}>
        <Facts
          rows={[
            [t`Goods`, <Money key="goods" cents={shown.refundInitial} />],
            ...partOf(t`Discounts`, shown.discountsTotal),
            ...partOf(t`Rewards`, shown.loyaltyTotal),
            ...partOf(t`Credits`, shown.creditsTotal),
            ...refundedTaxes.map(
              (tax) => [tax.description, <Money key={tax.taxId} cents={tax.amount} />] as const,
            ),
            ...partOf(shown.adjustmentDescription || t`Adjustment`, shown.adjustmentAmount),
            [
              shown.paymentTypeName || sentence(shown.refundType).replace('-', ' '),
              <Money key="total" cents={shown.refundTotal} fw={650} />,
            ],
          ]}
        />
      </div>
      {shown.voidedAt && (
        <Text size="xs" c="dimmed" mt="xs">
          {rich`Voided ${<ShopTime at={shown.voidedAt} />}`}
          {staffName(shown.voidedBy) && t` by ${staffName(shown.voidedBy)}`}: {shown.voidedReason}
        </Text>
      )}
    </section>
  );
}

function partOf(name: string, cents: number) {
  return cents === 0 ? [] : [[name, <Money key={name} cents={cents} />] as const];
}

function VoidForm({ order, voided, onClose }: { order: Order; voided: OrderReturn; onClose: () => void }) {
  const step = useOrderStep();
  const [reason, setReason] = useState('');
  const send = () =>
    step(order.id, () =>
      dataOf(
        api.POST('/staff/v1/order-returns/{returnId}/void', {
          params: { path: { returnId: voided.id } },
          body: { reason, ...atOwnRegister() },
        }),
      ),
    );
  return (
    <ServerForm
      submit={t`Void return`}
      onSubmit={send}
      onCancel={onClose}
      onDone={() => {
        notifyDone(t`The return is voided.`);
        onClose();
      }}
    >
      <Text size="sm">
        {t`The refund of ${dollars(-voided.refundTotal)} is reversed: restocked goods leave the stock again, store credit from the return ends, and points are reversed.`}
      </Text>
      <Field path="reason">
        {(error) => (
          <Textarea
            label={t`Reason`}
            required
            data-autofocus
            autosize
            minRows={2}
            maxLength={500}
            error={error}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
      </Field>
    </ServerForm>
  );
}
