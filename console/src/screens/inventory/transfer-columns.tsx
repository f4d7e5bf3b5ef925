import { Select, SimpleGrid, Table, TextInput } from '@mantine/core';
import { t } from '../../words/words.ts';

/** What is sent beside the rows of a file. */
export interface TransferReading {
  /** By heading: a field, or null to read over it. */
  readonly mapping: Readonly<Record<string, string | null>>;
  readonly shared: Readonly<Record<string, string>>;
}

export const plainReading: TransferReading = { mapping: {}, shared: {} };

const fields = {
  manifestNumber: t`Manifest number`,
  transferExternalId: t`Transfer ID`,
  shipperName: t`Shipper`,
  shipperLicenseNumber: t`Shipper's license`,
  label: t`Package label`,
  externalId: t`Package ID`,
  externalProductName: t`Product`,
  initialAmount: t`Amount`,
  unit: t`Unit`,
  expirationDate: t`On sale until`,
  onHold: t`On hold`,
  tradeSample: t`Trade sample`,
};

const sharedFields = ['manifestNumber', 'shipperName', 'shipperLicenseNumber'] as const;
const skip = '-';

/** The headings of pasted rows: of the first line, or the names of the first row. */
function headingsOf(text: string): readonly string[] {
  if (/^\s*[[{]/.test(text)) {
    try {
      const parsed = JSON.parse(text) as { rows?: unknown[]; Data?: unknown[] } | unknown[];
      const [first] = Array.isArray(parsed) ? parsed : (parsed.rows ?? parsed.Data ?? []);
      return Object.keys((first as object | undefined) ?? {});
    } catch {
      return [];
    }
  }
  const line = text.replace(/^\uFEFF?(sep=.\r?\n)?\s*/i, '').split(/\r?\n/, 1)[0] ?? '';
  const sign = [',', ';', '\t'].toSorted(
    (one, other) => line.split(other).length - line.split(one).length,
  )[0]!;
  return [...new Set(line.split(sign).map((cell) => cell.replace(/^"|"$/g, '').trim()))].filter(Boolean);
}

/** Which column of the file is which field, and what all rows have in common. */
export function TransferColumns({
  text,
  reading,
  onChange,
}: {
  text: string;
  reading: TransferReading;
  onChange: (reading: TransferReading) => void;
}) {
  const meanings = [
    { value: skip, label: t`Leave out` },
    ...Object.entries(fields).map(([value, label]) => ({ value, label })),
  ];
  const assign = (heading: string, chosen: string | null) => {
    const { [heading]: _, ...others } = reading.mapping;
    const mapping = chosen === null ? others : { ...others, [heading]: chosen === skip ? null : chosen };
    onChange({ ...reading, mapping });
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} mt="sm">
        {sharedFields.map((field) => (
          <TextInput
            key={field}
            label={fields[field]}
            description={t`For rows that have none`}
            maxLength={500}
            value={reading.shared[field] ?? ''}
            onChange={(event) =>
              onChange({ ...reading, shared: { ...reading.shared, [field]: event.currentTarget.value } })
            }
          />
        ))}
      </SimpleGrid>
      <Table mt="sm" aria-label={t`Columns of the file`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Column`}</Table.Th>
            <Table.Th>{t`Field`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {headingsOf(text).map((heading) => {
            const chosen = reading.mapping[heading];
            return (
              <Table.Tr key={heading}>
                <Table.Td>{heading}</Table.Td>
                <Table.Td>
                  <Select
                    aria-label={t`Field of ${heading}`}
                    placeholder={t`By its name`}
                    clearable
                    data={meanings}
                    value={chosen === undefined ? null : (chosen ?? skip)}
                    onChange={(next) => assign(heading, next)}
                  />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </>
  );
}
