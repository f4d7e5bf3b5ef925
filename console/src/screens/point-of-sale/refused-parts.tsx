import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { refusalInWords } from '../../parts/refusal-words.ts';
import { useDiscounts } from '../../parts/use-discounts.ts';
import { t } from '../../words/words.ts';
import { ApproveButton } from './approve-button.tsx';
import type { Cart, CartChange } from './cart.ts';
import { type Refusal, type RefusedPart, takeOut } from './refused-part.ts';
import { useSaleHands } from './saved-sale-gate.tsx';

/**
 * Lists each refused part of the cart with its reason and a button to remove it; what is beyond the role, also with one for a
 * manager's PIN. The prices below exclude these parts.
 */
export function RefusedParts({
  cart,
  refusals,
  onChange,
}: {
  cart: Cart;
  refusals: readonly Refusal[];
  onChange: (change: CartChange) => void;
}) {
  const { current } = useSaleHands();
  const nameOf = useNames(cart, refusals);
  return refusals.map(({ part, failure }) => (
    <Alert
      key={JSON.stringify(part)}
      color="red"
      role="alert"
      p="xs"
      title={t`Not included in the price: ${nameOf(part)}`}
    >
      {reasonOf(refusalInWords(failure))}
      <Group gap="xs">
        <ApproveButton refusal={failure} />
        <Button mt="xs" variant="default" onClick={() => takeOut(current().cart, part).forEach(onChange)}>
          {t`Remove`}
        </Button>
      </Group>
    </Alert>
  ));
}

/** `Manual discount 1 needs …` → `It needs …`: the name is shown above. */
function reasonOf(words: string): string {
  return words.replace(/^(Discount by hand|Reward) \d+ /, 'It ');
}

function useNames(cart: Cart, refusals: readonly Refusal[]): (part: RefusedPart) => string {
  const discounts = useDiscounts();
  const rewards = useQuery({
    queryKey: ['loyalty-rewards', {}],
    queryFn: () => dataOf(api.GET('/staff/v1/loyalty-rewards')),
    staleTime: 60_000,
    enabled: refusals.some(({ part }) => part.kind === 'reward'),
  });
  return (part) => {
    switch (part.kind) {
      case 'line': {
        const names = cart.lines
          .filter(({ option }) => part.productOptionIds.includes(option.productOptionId))
          .map(({ option }) => option.productName);
        return [...new Set(names)].join(', ');
      }
      case 'discount':
        return discounts.data?.find(({ id }) => id === part.id)?.name ?? t`a manual discount`;
      case 'code':
        return t`code ${part.code}`;
      case 'reward':
        return rewards.data?.find(({ id }) => id === part.id)?.name ?? t`a reward`;
      case 'by-hand':
        return t`manual discounts and adjustments`;
      case 'exemption':
        return t`the tax override`;
    }
  };
}
