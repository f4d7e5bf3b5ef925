import { Button, Collapse, Switch, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { t } from '../../words/words.ts';
import { explainedSteps } from './explained-steps.ts';
import classes from './order-detail.module.css';
import type { Order } from './order-words.ts';

/** All calculation steps of the amounts, in an accountant's terms. */
export function OrderExplanation({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false);
  const [withShares, setWithShares] = useState(false);
  const names = new Map(
    order.lineItems.map((line) => [line.optionId, `${line.productName}, ${line.optionName}`]),
  );
  const steps = explainedSteps(order.explanation ?? [], (id) => names.get(id));
  const shown = withShares ? steps : steps.filter(({ isShare }) => !isShare);
  return (
    <SectionCard
      title={t`How the total is calculated`}
      hint={t`The calculation when the order was placed or last edited.`}
    >
      {steps.length === 0 ? (
        <Text size="sm" c="dimmed">
          {order.explanationPruned
            ? t`The calculation steps of this order were deleted, because your shop keeps them only for a while. Its amounts, taxes and receipt remain.`
            : t`No calculation steps are stored for this order.`}
        </Text>
      ) : (
        <>
          <Button
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            leftSection={
              isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />
            }
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? t`Hide the steps` : t`Show ${shown.length} steps`}
          </Button>
          <Collapse expanded={isOpen}>
            {isOpen && (
              <>
                <Switch
                  my="md"
                  label={t`Show how amounts are split over the items`}
                  checked={withShares}
                  onChange={(event) => setWithShares(event.currentTarget.checked)}
                />
                <table className={classes.lines}>
                  <thead>
                    <tr>
                      <th scope="col">{t`Step`}</th>
                      <th scope="col">{t`How`}</th>
                      <th scope="col" data-align="end">
                        {t`Amount`}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map((step, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id, and two can be alike
                      <tr key={index} data-sum={step.isSum || undefined}>
                        <td>
                          {step.title}
                          {step.subject && (
                            <Text size="xs" c="dimmed">
                              {step.subject}
                            </Text>
                          )}
                        </td>
                        <td>{step.how}</td>
                        <td data-align="end">
                          <Money cents={step.cents} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </>
            )}
          </Collapse>
        </>
      )}
    </SectionCard>
  );
}
