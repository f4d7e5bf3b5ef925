import { Alert, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { isFarOff } from '../../parts/far-off.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { failedWrite } from '../../parts/unanswered.ts';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { significantDigits } from '../../scanner/scan-codes.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { CountResult } from './count-result.tsx';
import { InventoryTabs } from './inventory-tabs.tsx';
import { PackageTag } from './package-tag.tsx';
import { itemName, locationChoices, locationsQuery, type StockLevel } from './stock-words.ts';
import { type Counted, useCountSheet, useLevelsOf } from './use-count-sheet.ts';

/** Counts a location: all entered quantities are saved together; empty lines stay unchanged. */
export function Component() {
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
  useScannedItem(wanted, setWanted);
  const sheet = useCountSheet(Number(location), filled, () => setTyped(new Map()));
  const failed = sheet.error && failedWrite(sheet.error, 'The count is not saved');
  const set = (level: StockLevel, counted: string) =>
    setTyped((before) => new Map(before).set(level.id, { level, counted }));
  return (
    <Page kind="list">
      <PageHeader
        title="Count a location"
        actions={
          <CountActions
            filled={filled.length}
            isSaving={sheet.isPending}
            onSave={() => (farOff.length > 0 ? setIsAsking(true) : sheet.send())}
          />
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
        <ItemFilter wanted={wanted} onWanted={setWanted} />
        <ReasonField reason={sheet.reason} onReason={sheet.setReason} />
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
          <EmptyState title={wanted ? 'No matching items at this location' : 'No stock at this location'}>
            {wanted ? 'Try fewer words.' : 'Choose another location, or take in goods first.'}
          </EmptyState>
        }
      />
      <FarOffQuestion
        opened={isAsking}
        farOff={farOff}
        onConfirm={async () => sheet.send()}
        onClose={() => setIsAsking(false)}
      />
      <CountResult count={sheet.result} counted={sheet.sent} onClose={sheet.close} />
    </Page>
  );
}

/** A scan filters the list to the item; its line is ready for counting once loaded. */
function useScannedItem(wanted: string, setWanted: (wanted: string) => void): void {
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
}

function CountActions({
  filled,
  isSaving,
  onSave,
}: {
  filled: number;
  isSaving: boolean;
  onSave: () => void;
}) {
  const navigate = useNavigate();
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => void navigate('/inventory')}>
        Leave
      </Button>
      <Button disabled={filled === 0} loading={isSaving} onClick={onSave}>
        {filled === 0 ? 'Save count' : `Save ${filled} counted`}
      </Button>
    </Group>
  );
}

function ItemFilter({ wanted, onWanted }: { wanted: string; onWanted: (wanted: string) => void }) {
  return (
    <TextInput
      type="search"
      data-search
      aria-label="Find an item here"
      placeholder="Find an item here"
      w={280}
      value={wanted}
      onChange={(event) => onWanted(event.currentTarget.value)}
    />
  );
}

function ReasonField({ reason, onReason }: { reason: string; onReason: (reason: string) => void }) {
  return (
    <TextInput
      aria-label="Reason"
      placeholder="Reason, recorded in the ledger"
      w={240}
      maxLength={500}
      value={reason}
      onChange={(event) => onReason(event.currentTarget.value)}
    />
  );
}

/** Asks before counts far from the ledger are saved. */
function FarOffQuestion({
  opened,
  farOff,
  onConfirm,
  onClose,
}: {
  opened: boolean;
  farOff: readonly Counted[];
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      opened={opened}
      title="Are these counts correct?"
      action="Save the count"
      keep="Count again"
      isDangerous
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {farOff.map(({ level, counted }) => (
        <div key={level.id} className="numbers">
          {itemName(level)}: {counted} counted, ledger shows {level.onHand}
        </div>
      ))}
    </ConfirmDialog>
  );
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
