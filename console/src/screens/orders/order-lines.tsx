import { Badge, Text } from '@mantine/core';
import { Money } from '../../parts/money.tsx';
import { PriceTotals } from '../../parts/price-totals.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import classes from './order-detail.module.css';
import { givenTo, type Order } from './order-words.ts';
import { returnedUnits } from './returnable-lines.ts';

type Line = Order['lineItems'][number];

/** The items of the order and the rows of its total. */
export function OrderLines({ order }: { order: Order }) {
  return (
    <SectionCard title={t`Items`}>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col">{t`Item`}</th>
            <th scope="col" data-align="end">
              {t`Quantity`}
            </th>
            <th scope="col" data-align="end">
              {t`Each`}
            </th>
            <th scope="col" data-align="end">
              {t`Price`}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lineItems.map((line) => (
            <OrderLine
              key={line.id}
              line={line}
              returned={returnedUnits(order, line.id)}
              given={givenTo(order, line.optionId)}
            />
          ))}
        </tbody>
      </table>
      <div className={classes.totals}>
        <PriceTotals amounts={order} />
        {order.refundTotal !== 0 && (
          <Text size="sm" ta="end" mt="xs">
            {rich`Refunded ${<Money cents={-order.refundTotal} fw={600} />}`}
          </Text>
        )}
        {order.taxExemptReason && (
          <Text size="xs" c="dimmed" ta="end" mt="xs">
            {order.taxExempt ? t`Tax exempt` : t`Not tax exempt`}: {order.taxExemptReason}
          </Text>
        )}
      </div>
    </SectionCard>
  );
}

function OrderLine({
  line,
  returned,
  given,
}: {
  line: Line;
  returned: number;
  /** The price that was set by hand. */
  given: { readonly words: string; readonly reason: string } | null;
}) {
  const menuPrice = line.optionSalesPrice ?? line.optionPrice;
  const packages = line.fulfillAs.flatMap(({ pkg }) => (pkg ? [pkg.label] : []));
  return (
    <tr>
      <td>
        <Text size="sm" fw={600}>
          {line.productName}
        </Text>
        <Text size="xs" c="dimmed">
          {[line.productBrand, line.optionName, line.primaryCategory.name].filter(Boolean).join(' · ')}
        </Text>
        {line.discounts.map(({ discountId, description, amountUsed }) => (
          <Text key={discountId} size="xs">
            {description}: <Money cents={-amountUsed} />
          </Text>
        ))}
        {given && (
          <Text size="xs">{rich`${given.words}, not ${<Money cents={menuPrice} />}: ${given.reason}`}</Text>
        )}
        {packages.length > 0 && (
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {packages.join(', ')}
          </Text>
        )}
        {returned > 0 && (
          <Badge variant="light" color="yellow" size="sm" radius="sm" className="status">
            {t`${returned} returned`}
          </Badge>
        )}
      </td>
      <td data-align="end">{line.quantity}</td>
      <td data-align="end">
        <Money cents={line.unitPrice} />
        {!given && line.optionSalesPrice !== null && line.optionSalesPrice < line.optionPrice && (
          <Text size="xs" c="dimmed" td="line-through">
            <Money cents={line.optionPrice} />
          </Text>
        )}
      </td>
      <td data-align="end">
        <Money cents={line.finalPrice} fw={600} />
        {line.finalPrice !== line.subtotalPrice && (
          <Text size="xs" c="dimmed" td="line-through">
            <Money cents={line.subtotalPrice} />
          </Text>
        )}
      </td>
    </tr>
  );
}
