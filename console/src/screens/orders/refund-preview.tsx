import { Checkbox, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf, type StaffPaths } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import totals from '../../parts/price-totals.module.css';
import { t } from '../../words/words.ts';
import { accountWords, refundRows } from './refund-rows.ts';

type Body =
  StaffPaths['/staff/v1/orders/{orderId}/returns/preview']['post']['requestBody']['content']['application/json'];

/** The refund that the service would make now, before the return is recorded. */
export function RefundPreview({
  orderId,
  body,
  onTakeBack,
}: {
  orderId: string;
  body: Body;
  /** Whether discounts whose condition the return breaks come off the refund. */
  onTakeBack: (takesRewardsBack: boolean) => void;
}) {
  const [asked] = useDebouncedValue(body, 150);
  const preview = useQuery({
    queryKey: ['orders', orderId, 'refund', asked],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/staff/v1/orders/{orderId}/returns/preview', {
          params: { path: { orderId } },
          body: asked,
          signal,
        }),
      ),
    enabled: asked.lineItems.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (body.lineItems.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t`Choose what comes back to see the refund before you record it.`}
      </Text>
    );
  }
  if (preview.error) {
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="status">
        {messageOf(preview.error)}
      </Text>
    );
  }
  if (preview.data === undefined) return null;
  const { refundTotal, cashRounding = 0 } = preview.data;
  return (
    <section aria-label={t`Refund`} aria-live="polite">
      <table className={totals.totals}>
        <tbody>
          {refundRows(preview.data).map(({ label, cents }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two taxes can have one name
            <tr key={index}>
              <th scope="row">{label}</th>
              <td>
                <Money cents={cents} />
              </td>
            </tr>
          ))}
          <tr className={totals.total}>
            <th scope="row">{t`Refund`}</th>
            <td>
              <Money cents={0 - refundTotal - cashRounding} />
            </td>
          </tr>
        </tbody>
      </table>
      {preview.data.brokenRewards.map(({ discountId, description, amount }) => (
        <Text key={discountId} size="sm">
          {t`The goods that stay no longer earn “${description}”: ${dollars(amount)}.`}
        </Text>
      ))}
      {preview.data.brokenRewards.length > 0 && (
        <Checkbox
          label={t`Take the discount back: it comes off the refund`}
          checked={body.brokenRewards === 'take-back'}
          onChange={(event) => onTakeBack(event.currentTarget.checked)}
        />
      )}
      {accountWords(preview.data, dollars).map((line) => (
        <Text key={line} size="sm" c="dimmed">
          {line}
        </Text>
      ))}
    </section>
  );
}
