import { Button, Checkbox, Drawer, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { dollars } from '../../parts/dollars.ts';
import { ReductionFields } from '../../parts/reduction-fields.tsx';
import { useDiscounts } from '../../parts/use-discounts.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import type { Cart, CartChange, Customer } from './cart.ts';
import { DiscountPart } from './discount-parts.tsx';

type Reward = Schema['LoyaltyReward'];

/** Everything that reduces the cart besides automatic discounts: manual discounts, codes, points, credits. */
export function CartExtras({
  cart,
  onChange,
  onClose,
}: {
  cart: Cart;
  onChange: (change: CartChange) => void;
  onClose: () => void;
}) {
  const discounts = useDiscounts();
  return (
    <Drawer opened onClose={onClose} position="right" title={t`Discounts, rewards and taxes`} size="md">
      <Stack gap="lg">
        <ReductionFields
          value={cart}
          discounts={discounts.data ?? []}
          partOf={(discount) => <DiscountPart cart={cart} discount={discount} onChange={onChange} />}
          onChange={(values) => onChange({ type: 'set', values })}
        />
        <PercentOffAll onChange={onChange} />
        {cart.customer && <RewardFields cart={cart} customer={cart.customer} onChange={onChange} />}
        {cart.customer && <CreditField cart={cart} customer={cart.customer} onChange={onChange} />}
        <RoleLimit />
      </Stack>
    </Drawer>
  );
}

/** How much the signed-in role may give; nothing where it has no limit. */
function RoleLimit() {
  const { role } = useSession().staff;
  const { data } = useQuery({
    queryKey: ['organization'],
    queryFn: () => dataOf(api.GET('/staff/v1/organization')),
    staleTime: 60_000,
  });
  const limits = data?.discountLimits;
  const percent =
    role === 'owner' ? null : role === 'manager' ? limits?.managerPercent : limits?.budtenderPercent;
  if (!percent) return null;
  return (
    <Text size="xs" c="dimmed">
      {t`Your role may take up to ${percent}% off a sale.`}
    </Text>
  );
}

/** A percent off every line, with its reason. */
function PercentOffAll({ onChange }: { onChange: (change: CartChange) => void }) {
  const [percent, setPercent] = useState('');
  const [reason, setReason] = useState('');
  const isReady = Number(percent) > 0 && Number(percent) <= 100 && reason.trim() !== '';
  return (
    <fieldset className="bare">
      <Text component="legend" size="sm" fw={600} mb={4}>
        {t`Percent off the whole order`}
      </Text>
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <DecimalInput
          aria-label={t`Percent off the whole order`}
          w={80}
          value={percent}
          onChange={setPercent}
        />
        <TextInput
          aria-label={t`Reason for the percent`}
          placeholder={t`Reason`}
          maxLength={200}
          style={{ flex: 1 }}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={!isReady}
          onClick={() => {
            onChange({ type: 'percent-off-all', percent: percent.trim(), reason: reason.trim() });
            setPercent('');
            setReason('');
          }}
        >
          {t`Apply`}
        </Button>
      </Group>
    </fieldset>
  );
}

interface OfCustomer {
  readonly cart: Cart;
  readonly customer: Customer;
  readonly onChange: (change: CartChange) => void;
}

function RewardFields({ cart, customer, onChange }: OfCustomer) {
  const rewards = useQuery({
    queryKey: ['loyalty-rewards', {}],
    queryFn: () => dataOf(api.GET('/staff/v1/loyalty-rewards')),
    staleTime: 60_000,
  });
  const chosen = new Map(cart.rewards.map((reward) => [reward.rewardId, reward]));
  const set = (values: Cart['rewards']) => onChange({ type: 'set', values: { rewards: values } });
  if (!rewards.data?.length) return null;
  return (
    <fieldset className="bare">
      <Text component="legend" size="sm" fw={600} mb={4}>
        {t`Rewards, for ${customer.loyalty.pointsAmount} points`}
      </Text>
      <Stack gap="xs">
        {rewards.data.map((reward) => (
          <Group key={reward.id} gap="xs" wrap="nowrap" align="flex-start">
            <Checkbox
              style={{ flex: 1 }}
              label={`${reward.name}: ${rewardWorth(reward)}`}
              description={
                reward.type === 'cash-back'
                  ? t`${reward.pointsRequirement} points or more`
                  : t`${reward.pointsRequirement} points`
              }
              checked={chosen.has(reward.id)}
              disabled={!chosen.has(reward.id) && customer.loyalty.pointsAmount < reward.pointsRequirement}
              onChange={(event) =>
                set(
                  event.currentTarget.checked
                    ? [...cart.rewards, { rewardId: reward.id }]
                    : cart.rewards.filter(({ rewardId }) => rewardId !== reward.id),
                )
              }
            />
            {reward.type === 'cash-back' && chosen.has(reward.id) && (
              <DecimalInput
                aria-label={t`Points for ${reward.name}`}
                placeholder={String(reward.pointsRequirement)}
                w={96}
                value={chosen.get(reward.id)?.points ?? ''}
                onChange={(points) =>
                  set(
                    cart.rewards.map((each) =>
                      each.rewardId === reward.id ? { rewardId: reward.id, ...(points && { points }) } : each,
                    ),
                  )
                }
              />
            )}
          </Group>
        ))}
      </Stack>
    </fieldset>
  );
}

function rewardWorth({ type, discountAmount }: Reward): string {
  if (type === 'cash-back') return t`${discountAmount} ¢ per point`;
  if (type === 'percent') return `${discountAmount}%`;
  return type === 'flat' ? dollars(discountAmount ?? 0) : t`free`;
}

function CreditField({ cart, customer, onChange }: OfCustomer) {
  const credits = useQuery({
    queryKey: ['customers', customer.id, 'credits'],
    queryFn: () =>
      dataOf(
        api.GET('/staff/v1/customers/{customerId}/credits', {
          params: { path: { customerId: customer.id } },
        }),
      ),
  });
  const open = (credits.data ?? []).filter(
    ({ remaining, remainingUses }) => (remaining ?? 0) > 0 || (remainingUses ?? 0) > 0,
  );
  if (open.length === 0) return null;
  const value = cart.applyCredits === null ? 'default' : cart.applyCredits ? 'yes' : 'no';
  return (
    <Select
      label={t`Customer credits`}
      description={open
        .map(
          ({ description, remaining, percent }) =>
            `${description}: ${remaining === null ? `${percent}%` : dollars(remaining)}`,
        )
        .join('; ')}
      data={[
        { value: 'default', label: t`Default from the settings` },
        { value: 'yes', label: t`Use credits` },
        { value: 'no', label: t`Keep credits` },
      ]}
      value={value}
      onChange={(next) =>
        onChange({ type: 'set', values: { applyCredits: next === 'default' ? null : next === 'yes' } })
      }
    />
  );
}
