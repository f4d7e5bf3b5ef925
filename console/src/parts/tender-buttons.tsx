import { UnstyledButton } from '@mantine/core';
import {
  IconBuildingBank,
  IconCash,
  IconCreditCard,
  IconDots,
  IconGift,
  IconReceipt2,
} from '@tabler/icons-react';
import classes from './payment-rows.module.css';
import type { PaymentType } from './use-payment-types.ts';

/** By words of a method: `cash`, `debit`, `ach-bank` … */
const icons: readonly (readonly [RegExp, typeof IconCash])[] = [
  [/cash(?!less)/, IconCash],
  [/card|credit|debit|cashless/, IconCreditCard],
  [/bank|ach|check/, IconBuildingBank],
  [/gift/, IconGift],
  [/link|online/, IconReceipt2],
];

/** The tenders as large buttons, in the order of the settings; the chosen one is pressed. */
export function TenderButtons({
  label,
  types,
  chosenId,
  onChoose,
}: {
  label: string;
  types: readonly Pick<PaymentType, 'id' | 'name' | 'method'>[];
  chosenId: number;
  onChoose: (id: number) => void;
}) {
  return (
    <fieldset className={classes.tenders} aria-label={label}>
      {types.map(({ id, name, method }) => {
        const Icon = icons.find(([words]) => words.test(method))?.[1] ?? IconDots;
        return (
          <UnstyledButton
            key={id}
            className={classes.tender}
            aria-pressed={id === chosenId}
            onClick={() => onChoose(id)}
          >
            <Icon size={24} aria-hidden />
            {name}
          </UnstyledButton>
        );
      })}
    </fieldset>
  );
}
