import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../api.ts';
import { Money } from '../../parts/money.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { t } from '../../words/words.ts';
import classes from './customers.module.css';

/** A customer's key figures. */
export function CustomerFigures({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const { orderCount, spent, lastOrderAt, loyalty, licenseExpiry, joinedAt } = customer;
  return (
    <SimpleGrid component="dl" cols={{ base: 3, md: 6 }} spacing={0} className={classes.figures}>
      <Figure name={t`Orders`}>{orderCount}</Figure>
      <Figure name={t`Total spent, before returns`}>
        <Money cents={spent} />
      </Figure>
      <Figure name={t`Points`}>{loyalty.pointsAmount}</Figure>
      <Figure name={t`Last order`}>
        <ShopTime at={lastOrderAt} style="date" />
      </Figure>
      <Figure name={t`License until`}>
        <LastDay day={licenseExpiry} />
      </Figure>
      <Figure name={t`Customer since`}>
        <ShopTime at={joinedAt} style="date" />
      </Figure>
    </SimpleGrid>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600} className="numbers">
        {children}
      </Text>
    </div>
  );
}
