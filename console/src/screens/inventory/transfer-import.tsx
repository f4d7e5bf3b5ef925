import { Alert, Button, Checkbox, Code, FileButton, Group, Table, Text, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { plural, t } from '../../words/words.ts';
import { InventoryTabs } from './inventory-tabs.tsx';
import { plainReading, TransferColumns, type TransferReading } from './transfer-columns.tsx';
import { TransferList, TransferPackages } from './transfer-list.tsx';

type Imported = Schema['ComplianceTransferImport'];
type BadRow = Imported['badRows'][number];

const csvHead =
  'manifestNumber,shipperName,shipperLicenseNumber,label,externalProductName,initialAmount,unit,expirationDate';

/** Imports incoming transfers from CSV or JSON and lists errors by row; existing transfers below. */
export function Component() {
  const mayEdit = useCan('importComplianceTransfers');
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [onlyGood, setOnlyGood] = useState(false);
  const [imported, setImported] = useState('');
  const [reading, setReading] = useState(plainReading);
  const [assigns, setAssigns] = useState(false);
  useUnsavedWork(text.trim() !== '' && text !== imported);
  const send = useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/compliance-transfers', { body: importBody(text, onlyGood, reading) })),
    onSuccess: () => {
      setImported(text);
      for (const key of ['packages', 'compliance-transfers']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });
  const isCsv = !/^\s*[[{]/.test(text);
  return (
    <Page>
      <PageHeader title={t`Incoming transfers`}>
        {t`Use one row per package. Rows of one manifest make one transfer. Packages are in stock once you receive them.`}
      </PageHeader>
      <InventoryTabs />
      <SectionCard
        title={t`Import`}
        hint={rich`CSV with column names in the first line, such as ${<Code style={{ overflowWrap: 'anywhere' }}>{csvHead}</Code>} or those of the state system, or rows as JSON.`}
      >
        <Group mb="sm">
          <FileButton
            accept=".csv,.json,text/csv,application/json"
            onChange={(file) => {
              if (file) void file.text().then(setText);
            }}
            inputProps={{ 'aria-label': t`Transfer file` }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<IconUpload size={18} aria-hidden />}
                disabled={!mayEdit}
              >
                {t`Choose a file`}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            {t`Or paste the rows below.`}
          </Text>
        </Group>
        <Textarea
          aria-label={t`Transfer rows`}
          autosize
          minRows={6}
          maxRows={16}
          className="numbers"
          spellCheck={false}
          disabled={!mayEdit}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="space-between" mt="sm">
          <Checkbox
            label={t`Import valid rows and skip the others`}
            checked={onlyGood}
            onChange={(event) => setOnlyGood(event.currentTarget.checked)}
          />
          <Button variant="subtle" disabled={text.trim() === ''} onClick={() => setAssigns(!assigns)}>
            {t`Assign columns`}
          </Button>
          <Button
            disabled={!mayEdit || text.trim() === ''}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            {t`Import ${isCsv ? 'CSV' : 'JSON'}`}
          </Button>
        </Group>
        {assigns && <TransferColumns text={text} reading={reading} onChange={setReading} />}
      </SectionCard>
      <ImportFailure error={send.error} />
      {send.data && <ImportResult imported={send.data} />}
      <TransferList />
    </Page>
  );
}

/** JSON as rows, or the whole pasted object as `{ rows }` or the state's `{ Data }`; anything else is CSV. */
function importBody(text: string, onlyGood: boolean, { mapping, shared }: TransferReading) {
  const filled = Object.fromEntries(Object.entries(shared).filter(([, value]) => value.trim() !== ''));
  const how = {
    onlyGood,
    ...(Object.keys(mapping).length > 0 && { mapping }),
    ...(Object.keys(filled).length > 0 && { shared: filled }),
  };
  if (!/^\s*[[{]/.test(text)) return { csv: text, ...how };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiFailure({ message: t`This is not valid JSON.`, code: 'INVALID_JSON', status: 400 });
  }
  const { rows, Data } = parsed as { rows?: unknown; Data?: unknown };
  return { rows: (Array.isArray(parsed) ? parsed : (rows ?? Data)) as { label?: string }[], ...how };
}

function ImportFailure({ error }: { error: Error | null }) {
  if (!error) return null;
  const rows = error instanceof ApiFailure && Array.isArray(error.meta.rows) ? error.meta.rows : [];
  return (
    <Alert color="red" role="alert" title={t`Nothing was imported`}>
      {rows.length === 0 ? messageOf(error) : <BadRows rows={rows as BadRow[]} />}
    </Alert>
  );
}

function BadRows({ rows }: { rows: readonly BadRow[] }) {
  return (
    <Table className="numbers" aria-label={t`Rows with errors`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={72}>{t`Row`}</Table.Th>
          <Table.Th w={200}>{t`Field`}</Table.Th>
          <Table.Th>{t`Error`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ row, field, message }) => (
          <Table.Tr key={`${row} ${field} ${message}`}>
            <Table.Td>{row}</Table.Td>
            <Table.Td>{field}</Table.Td>
            <Table.Td>{message}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ImportResult({ imported }: { imported: Imported }) {
  // A row can have several errors.
  const leftOut = new Set(imported.badRows.map(({ row }) => row)).size;
  return (
    <SectionCard
      title={plural(imported.importedRows, {
        one: t`${imported.importedRows} package imported`,
        other: t`${imported.importedRows} packages imported`,
      })}
      hint={t`Open a package to receive it.`}
    >
      {imported.badRows.length > 0 && (
        <Alert
          color="yellow"
          title={plural(leftOut, { one: t`${leftOut} row skipped`, other: t`${leftOut} rows skipped` })}
          mb="md"
        >
          <BadRows rows={imported.badRows} />
        </Alert>
      )}
      {imported.transfers.map((transfer) => (
        <TransferPackages key={transfer.id} transfer={transfer} />
      ))}
    </SectionCard>
  );
}
