import { Alert, Button, Group, Modal, Select, Table, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { isDecimalText } from '../../parts/decimal-text.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { isFarOff } from '../../parts/far-off.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { failedWrite } from '../../parts/unanswered.ts';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { useList } from '../../parts/use-list.ts';
import { useWrite } from '../../parts/use-write.ts';
import { significantDigits } from '../../scanner/scan-codes.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { InventoryTabs } from './inventory-tabs.tsx';
import { PackageTag } from './package-tag.tsx';
import { itemName, locationChoices, locationsQuery, type StockLevel } from './stock-words.ts';

type StockCount = Schema['StockCount'];

interface CountBody {
  readonly inventoryLocationId: number;
  readonly lines: Pick<
    StockCount['lines'][number],
    'productId' | 'productOptionId' | 'packageId' | 'counted' | 'expected'
  >[];
  readonly reason: string | null;
}

interface Counted {
  readonly level: StockLevel;
  readonly counted: string;
}

/** Counts a location: all entered quantities are saved together; empty lines stay unchanged. */
export function Component() {
  const navigate = useNavigate();
  const [filters, setFilters] = useFilters(['location']);
  const [typed, setTyped] = useState<ReadonlyMap<string, Counted>>(new Map());
  const locations = useQuery(locationsQuery);
  const choices = locationChoices(locations.data);
  const location = filters.location ?? choices[0]?.value;
  const [wanted, setWanted] = useState('');
  const list = useLevelsOf(location, wanted);
  const filled = [...typed.values()].filter(({ counted }) => counted !== '');
  useUnsavedWork(filled.length > 0);
  const [isAsking, setIsAsking] = useState(false);
  const farOff = filled.filter(({ level, counted }) => isFarOff(counted, level.onHand));
  // A scan filters the list to the item; its line is ready for counting once loaded.
  const toCount = useRef<string | null>(null);
  useScans((code) => {
    toCount.current = significantDigits(code);
    setWanted(toCount.current);
  });
  useEffect(() => {
    if (toCount.current !== wanted) return;
    const field = document.querySelector<HTMLElement>('[data-counted]');
    if (!field) return;
    toCount.current = null;
    field.focus();
  });
  const sheet = useCountSheet(Number(location), filled, () => setTyped(new Map()));
  const failed = sheet.error && failedWrite(sheet.error, 'The count is not saved');
  const set = (level: StockLevel, counted: string) =>
    setTyped((before) => new Map(before).set(level.id, { level, counted }));
  return (
    <Page kind="list">
      <PageHeader
        title="Count a location"
        actions={
          <Group gap="sm">
            <Button variant="default" onClick={() => void navigate('/inventory')}>
              Leave
            </Button>
            <Button
              disabled={filled.length === 0}
              loading={sheet.isPending}
              onClick={() => (farOff.length > 0 ? setIsAsking(true) : sheet.send())}
            >
              {filled.length === 0 ? 'Save count' : `Save ${filled.length} counted`}
            </Button>
          </Group>
        }
      >
        Enter the counted quantities. Empty lines stay unchanged; differences are recorded in the ledger.
      </PageHeader>
      <InventoryTabs />
      <FilterBar>
        <Select
          aria-label="Location"
          w={184}
          data={choicesOr(choices, locations, createHints.locations)}
          value={location ?? null}
          disabled={filled.length > 0}
          onChange={(value) => setFilters({ location: value })}
        />
        <TextInput
          type="search"
          data-search
          aria-label="Find an item here"
          placeholder="Find an item here"
          w={280}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <TextInput
          aria-label="Reason"
          placeholder="Reason, recorded in the ledger"
          w={240}
          maxLength={500}
          value={sheet.reason}
          onChange={(event) => sheet.setReason(event.currentTarget.value)}
        />
      </FilterBar>
      {failed && (
        <Alert color="red" role="alert" title={failed.title}>
          {failed.message}
        </Alert>
      )}
      <DataTable
        label="Count"
        list={
          locations.isLoadingError
            ? { ...list, error: locations.error, retry: () => void locations.refetch() }
            : list
        }
        columns={[...columns, countColumn(typed, set)]}
        empty={
          <EmptyState title={wanted ? 'No matching items at this location' : 'No stock at this location'} />
        }
      />
      <ConfirmDialog
        opened={isAsking}
        title="Are these counts correct?"
        action="Save the count"
        keep="Count again"
        isDangerous
        onConfirm={async () => sheet.send()}
        onClose={() => setIsAsking(false)}
      >
        {farOff.map(({ level, counted }) => (
          <div key={level.id} className="numbers">
            {itemName(level)}: {counted} counted, ledger shows {level.onHand}
          </div>
        ))}
      </ConfirmDialog>
      <CountResult count={sheet.result} counted={sheet.sent} onClose={sheet.close} />
    </Page>
  );
}

/** Loads all stock of a location, page by page: a sheet is counted as a whole. */
function useLevelsOf(location: string | undefined, wanted: string) {
  const locationId = Number(location ?? 0);
  const list = useList<StockLevel>({
    queryKey: ['inventory', { locationId }],
    page: (startingAfter, signal) =>
      dataOf(api.GET('/staff/v1/inventory', { params: { query: { locationId, startingAfter } }, signal })),
    enabled: locationId > 0,
  });
  useEffect(() => {
    if (list.hasMore && !list.isLoadingMore) list.loadMore();
  });
  const words = wanted.trim().toLowerCase();
  if (words === '') return list;
  const has = (level: StockLevel) =>
    [level.productName, level.optionName, level.brandName, level.upc, level.packageLabel].some((it) =>
      it?.toLowerCase().includes(words),
    );
  return { ...list, rows: list.rows.filter(has) };
}

function useCountSheet(inventoryLocationId: number, filled: readonly Counted[], onSaved: () => void) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const refresh = () => {
    for (const it of ['inventory', 'inventory-ledger']) {
      void queryClient.invalidateQueries({ queryKey: [it] });
    }
  };
  const save = useKeyedWrite(
    (body: CountBody, idempotencyKey) =>
      api.POST('/staff/v1/inventory-counts', { body: { ...body, idempotencyKey } }),
    (count) => {
      refresh();
      return `${count.lines.length} items were counted. The list shows the current stock.`;
    },
  );
  const [sent, setSent] = useState<readonly Counted[]>([]);
  const send = useWrite({
    mutationFn: async () => {
      const wrong = filled.find(({ counted }) => !isDecimalText(counted));
      if (wrong) {
        const message = `${itemName(wrong.level)}: “${wrong.counted}” is not a number.`;
        throw new ApiFailure({ message, code: 'INVALID_PARAMS', status: 400 });
      }
      return save({
        inventoryLocationId,
        lines: filled.map(({ level: { productId, productOptionId, packageId, onHand }, counted }) => ({
          productId,
          productOptionId,
          packageId,
          counted,
          expected: onHand,
        })),
        reason: reason.trim() || null,
      });
    },
    onSuccess: () => {
      setSent(filled);
      onSaved();
      refresh();
    },
  });
  return {
    reason,
    setReason,
    sent,
    send: () => send.mutate(),
    isPending: send.isPending,
    error: send.error,
    result: send.data ?? null,
    close: () => send.reset(),
  };
}

const columns: readonly Column<StockLevel>[] = [
  {
    id: 'item',
    header: 'Item',
    wraps: true,
    cell: (level) => (
      <>
        <Text span inherit fw={600}>
          {itemName(level)}
        </Text>
        <Text span inherit c="dimmed">
          {' '}
          {level.brandName}
        </Text>
      </>
    ),
  },
  {
    id: 'package',
    header: 'Package',
    width: 128,
    cell: ({ packageLabel }) => <PackageTag label={packageLabel} />,
  },
  { id: 'on-hand', header: 'On hand', width: 96, align: 'end', cell: ({ onHand }) => onHand },
];

function countColumn(
  typed: ReadonlyMap<string, Counted>,
  onType: (level: StockLevel, counted: string) => void,
): Column<StockLevel> {
  return {
    id: 'counted',
    header: 'Counted',
    width: 144,
    align: 'end',
    cell: (level) => (
      <DecimalInput
        size="xs"
        data-counted
        aria-label={`Counted of ${itemName(level)}${level.packageLabel ? `, package ${level.packageLabel}` : ''}`}
        value={typed.get(level.id)?.counted ?? ''}
        onChange={(counted) => onType(level, counted)}
      />
    ),
  };
}

function CountResult({
  count,
  counted,
  onClose,
}: {
  count: StockCount | null;
  counted: readonly Counted[];
  onClose: () => void;
}) {
  const lines = count?.lines.filter(({ difference }) => difference !== '0') ?? [];
  const nameOf = (line: StockCount['lines'][number]) => {
    const it = counted.find(
      ({ level }) =>
        level.productId === line.productId &&
        level.productOptionId === line.productOptionId &&
        level.packageId === line.packageId,
    );
    return it ? itemName(it.level) : line.productId;
  };
  return (
    <Modal opened={count !== null} onClose={onClose} title="Count saved" size="lg">
      {lines.length === 0 ? (
        <Text size="sm">All {count?.lines.length} counts match the ledger.</Text>
      ) : (
        <Table className="numbers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              <Table.Th ta="end">Ledger</Table.Th>
              <Table.Th ta="end">Counted</Table.Th>
              <Table.Th ta="end">Difference</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <Table.Tr key={`${line.productId}-${line.productOptionId}-${line.packageId}`}>
                <Table.Td>{nameOf(line)}</Table.Td>
                <Table.Td ta="end">{line.expected}</Table.Td>
                <Table.Td ta="end">{line.counted}</Table.Td>
                <Table.Td ta="end">{line.difference}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Modal>
  );
}
