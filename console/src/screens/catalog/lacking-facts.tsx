import { Alert, Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Lacking = Schema['LackingFacts']['options'][number];

const shownMax = 10;

const factNames: Readonly<Record<Lacking['facts'][number]['fact'], string>> = {
  thcPercent: t`THC in percent`,
  thcMg: t`THC in milligrams`,
  grams: t`weight`,
};

/** The options that cannot be sold, because they do not state what a tax or limit needs. */
export function LackingFacts() {
  const lacking = useQuery({
    // Under the key of the products: read again with them.
    queryKey: ['products', 'lacking-facts'],
    queryFn: () => dataOf(api.GET('/staff/v1/products/lacking-facts')),
  }).data;
  if (lacking === undefined || lacking.count === 0) return null;
  const { count, options } = lacking;
  return (
    <Alert color="yellow" title={t`Options that cannot be sold: ${count}`}>
      <Text size="sm">{t`A state tax or limit needs this fact, and it is missing.`}</Text>
      <List size="sm">
        {options.slice(0, shownMax).map(({ productId, productName, productOptionId, optionName, facts }) => (
          <List.Item key={productOptionId}>
            <Anchor component={Link} to={`/catalog/products/${productId}`}>
              {productName}, {optionName}
            </Anchor>
            {': '}
            {[...new Set(facts.map(({ fact }) => factNames[fact]))].join(', ')}
            {' ('}
            {[...new Set(facts.map(({ neededBy }) => neededBy))].join(', ')})
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
