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

/** By words of the method and the name: `cash`, `debit`, `pay by bank` … The first that fits. */
const icons: readonly (readonly [RegExp, typeof IconCash])[] = [
  [/gift/, IconGift],
  [/bank|ach\b|check/, IconBuildingBank],
  [/link|online/, IconReceipt2],
  [/card|credit|debit|cashless|processor/, IconCreditCard],
  [/cash/, IconCash],
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
        const Icon = icons.find(([words]) => words.test(`${method} ${name.toLowerCase()}`))?.[1] ?? IconDots;
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
