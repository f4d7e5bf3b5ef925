import { Button, Progress, Text } from '@mantine/core';
import { plural, t } from '../../words/words.ts';
import '@mantine/core/styles/Progress.css';
import { useState } from 'react';
import type { Schema } from '../../api.ts';
import classes from './point-of-sale.module.css';

type PurchaseLimit = Schema['PurchaseLimit'];

/** How much of each purchase limit this cart and the customer's other orders use. */
export function LimitMeters({ limits }: { limits: readonly PurchaseLimit[] }) {
  const [withAll, setWithAll] = useState(false);
  const touched = limits.filter(({ used, exceeded }) => exceeded || Number(used) > 0);
  const rest = limits.length - touched.length;
  if (limits.length === 0) return null;
  return (
    <section aria-label={t`Purchase limits`} className={classes.limits}>
      {(withAll ? limits : touched).map((limit) => (
        <Meter key={`${limit.name} ${limit.cannabisType}`} limit={limit} />
      ))}
      {rest > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          w="fit-content"
          onClick={() => setWithAll(!withAll)}
        >
          {withAll
            ? t`Hide unused limits`
            : plural(rest, { one: t`${rest} more limit, unused`, other: t`${rest} more limits, unused` })}
        </Button>
      )}
    </section>
  );
}

function Meter({ limit }: { limit: PurchaseLimit }) {
  const { name, used, exceeded } = limit;
  const ofLimit = t`${used} of ${limit.limit}${limit.unit === 'count' ? '' : ` ${limit.unit}`}`;
  // Only for the length of the bar; the service's result is final.
  const percent = Math.min(100, (Number(used) / Number(limit.limit)) * 100) || 0;
  const tone = exceeded ? 'red' : percent >= 80 ? 'yellow' : 'leaf';
  return (
    <div>
      <div className={classes.limit}>
        <Text span size="xs" truncate>
          {name}
        </Text>
        <Text
          span
          size="xs"
          className="numbers"
          c={exceeded ? 'var(--mantine-color-error)' : 'dimmed'}
          fw={exceeded ? 650 : 400}
        >
          {ofLimit}
        </Text>
      </div>
      <Progress.Root size={6} radius="xl">
        <Progress.Section value={percent} color={tone} aria-label={`${name}: ${ofLimit}`} />
      </Progress.Root>
    </div>
  );
}
