import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { useConnection } from '../../parts/connection.ts';
import type { Jar } from '../../parts/sale-options.ts';
import { t } from '../../words/words.ts';

/** A package with what is left of it to sell here, in grams; null: not known yet, or never. */
export interface OfferedJar extends Jar {
  readonly left: string | null;
}

/** The packages of a product that can be weighed out here, the oldest first, with the one that was scanned. */
export function useJars(productId: number, scanned: Jar | undefined): readonly OfferedJar[] {
  const { status } = useConnection();
  const query = { products: String(productId), withPackages: true };
  const { data } = useQuery({
    queryKey: ['inventory', 'sellable', 'in-store', query],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/inventory/sellable', { params: { query }, signal })),
    enabled: status === 'online',
  });
  const jars = (data?.packages ?? []).map(({ packageId, label, sellable }) => ({
    ...{ packageId, label, left: sellable },
  }));
  if (!scanned || jars.some(({ packageId }) => packageId === scanned.packageId)) return jars;
  // Of one that is not among them nothing is sold: it is on hold, say, or elsewhere.
  return [...jars, { ...scanned, left: data === undefined ? null : '0' }];
}

/** Which package the goods come out of. */
export function JarChoice({
  jars,
  chosen,
  onChoose,
}: {
  jars: readonly OfferedJar[];
  chosen: OfferedJar | null;
  onChoose: (packageId: number | null) => void;
}) {
  if (jars.length === 0) return null;
  return (
    <>
      <NativeSelect
        label={t`Package`}
        size="md"
        value={chosen?.packageId ?? ''}
        data={[
          { value: '', label: t`The oldest` },
          ...jars.map(({ packageId, label, left }) => ({
            value: String(packageId),
            label: left === null ? label : t`${label}, ${left} g left`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : Number(value))}
      />
      {chosen?.left === '0' && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t`Nothing of this package is sold here now.`}
        </Text>
      )}
    </>
  );
}
