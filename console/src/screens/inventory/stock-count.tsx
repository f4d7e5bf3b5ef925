import { Alert, Button, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { stepped } from '../../parts/decimal-steps.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { isFarOff } from '../../parts/far-off.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { sentWithoutAnswer, useKeptDraft, useKeptKey } from '../../parts/kept-draft.ts';
import { useOnPhone } from '../../parts/on-phone.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import phone from '../../parts/phone.module.css';
import { ShopTime } from '../../parts/shop-time.tsx';
import { failedWrite } from '../../parts/unanswered.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { significantDigits } from '../../scanner/scan-codes.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { CountResult } from './count-result.tsx';
import { InventoryTabs } from './inventory-tabs.tsx';
import { PackageTag } from './package-tag.tsx';
import { labelOf, PhoneCount } from './phone-count.tsx';
import { itemName, locationChoices, locationsQuery, type StockLevel } from './stock-words.ts';
import { useCountScans } from './use-count-scans.ts';
import { type Counted, useCountSheet, useLevelsOf } from './use-count-sheet.ts';

interface Draft {
  readonly lines: readonly Counted[];
}

const blank: Draft = { lines: [] };

function isDraft(value: unknown): value is Draft {
  const lines: unknown = (value as Draft | null)?.lines;
  return (
    Array.isArray(lines) &&
    lines.every((it) => typeof it?.level?.id === 'string' && typeof it.counted === 'string')
  );
}

/** What is counted at a location. It is kept until it is saved. */
function useCounted(location: string | undefined) {
  const draft = useKeptDraft(`count:${location ?? ''}`, blank, isDraft);
  const { lines } = draft.value;
  const change = (level: StockLevel, next: (counted: string) => string) =>
    draft.set(({ lines: before }) => {
      const known = before.find((it) => it.level.id === level.id);
      const changed = { level: known?.level ?? level, counted: next(known?.counted ?? '') };
      return { lines: [...before.filter((it) => it !== known), changed] };
    });
  return {
    ...draft,
    filled: lines.filter(({ counted }) => counted !== ''),
    counts: new Map(lines.map(({ level, counted }) => [level.id, counted])),
    set: (level: StockLevel, counted: string) => change(level, () => counted),
    oneMore: (level: StockLevel) => change(level, (counted) => stepped(counted, 1)),
  };
}

/** Counts a location: all entered quantities are saved together; empty lines stay unchanged. */
export function Component() {
  const [filters, setFilters] = useFilters(['location']);
  const isPhone = useOnPhone();
  const locations = useQuery(locationsQuery);
  const choices = locationChoices(locations.data);
  const location = filters.location ?? choices[0]?.value;
  const counted = useCounted(location);
  const { filled, counts } = counted;
  const [wanted, setWanted] = useState('');
  const levels = useLevelsOf(location, wanted);
  const list = locations.isLoadingError
    ? { ...levels, error: locations.error, retry: () => void locations.refetch() }
    : levels;
  const [isAsking, setIsAsking] = useState(false);
  const farOff = filled.filter((it) => isFarOff(it.counted, it.level.onHand));
  const showScanned = useScannedItem(wanted, setWanted);
  const scans = useCountScans(Number(location), levels.all, counted.oneMore);
  useScans(isPhone ? scans.take : showScanned);
  const keptKey = useKeptKey(`count:${location ?? ''}`);
  const sheet = useCountSheet(Number(location), filled, keptKey, () => {
    counted.drop();
    scans.forget();
  });
  const failed = sheet.error && failedWrite(sheet.error, t`The count is not saved`);
  const actions = (
    <CountActions
      filled={filled.length}
      isSaving={sheet.isPending}
      isPhone={isPhone}
      onSave={() => (farOff.length > 0 ? setIsAsking(true) : sheet.send())}
    />
  );
  const controls = (
    <CountControls
      {...{ location, choices, locations, wanted, setWanted, sheet, isPhone }}
      onLocation={(value) => {
        scans.forget();
        setFilters({ location: value });
      }}
    />
  );
  return (
    <Page kind={isPhone ? 'form' : 'list'}>
      <PageHeader title={t`Count a location`} actions={isPhone ? undefined : actions}>
        {isPhone
          ? t`Each scan adds one. Empty lines stay unchanged.`
          : t`Enter the counted quantities. Empty lines stay unchanged; differences are recorded in the ledger.`}
      </PageHeader>
      {!isPhone && <InventoryTabs />}
      {!isPhone && <CameraScan />}
      {!isPhone && <FilterBar>{controls}</FilterBar>}
      {counted.keptAt !== null && filled.length > 0 && (
        <KeptNotice
          lines={filled.length}
          at={counted.keptAt}
          wereSent={keptKey.read() !== null}
          onDrop={counted.drop}
        />
      )}
      {failed && (
        <Alert color="red" role="alert" title={failed.title}>
          {failed.message}
        </Alert>
      )}
      {isPhone ? (
        <>
          <PhoneCount
            list={list}
            total={levels.count?.total ?? levels.all.length}
            counts={counts}
            filled={filled.length}
            scans={scans}
            controls={controls}
            onCount={counted.set}
          />
          {actions}
        </>
      ) : (
        <DataTable
          label={t`Count`}
          list={list}
          columns={[...columns, countColumn(counts, counted.set)]}
          empty={
            <EmptyState title={wanted ? t`No matching items at this location` : t`No stock at this location`}>
              {wanted ? t`Try fewer words.` : t`Choose another location, or take in goods first.`}
            </EmptyState>
          }
        />
      )}
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

/** What is counted, and why. */
function CountControls({
  location,
  choices,
  locations,
  wanted,
  setWanted,
  sheet,
  isPhone,
  onLocation,
}: FieldSize & {
  location: string | undefined;
  choices: ReturnType<typeof locationChoices>;
  locations: Parameters<typeof choicesOr>[1];
  wanted: string;
  setWanted: (wanted: string) => void;
  sheet: Pick<ReturnType<typeof useCountSheet>, 'reason' | 'setReason'>;
  onLocation: (location: string | null) => void;
}) {
  return (
    <>
      <Select
        aria-label={t`Location`}
        w={isPhone ? '100%' : 184}
        size={isPhone ? 'lg' : 'sm'}
        data={choicesOr(choices, locations, createHints.locations)}
        value={location ?? null}
        onChange={onLocation}
      />
      <ItemFilter wanted={wanted} onWanted={setWanted} isPhone={isPhone} />
      <ReasonField reason={sheet.reason} onReason={sheet.setReason} isPhone={isPhone} />
    </>
  );
}

/** A scan filters the list to the item; its line is ready for counting once loaded. */
function useScannedItem(wanted: string, setWanted: (wanted: string) => void): (code: string) => void {
  const toCount = useRef<string | null>(null);
  useEffect(() => {
    if (toCount.current !== wanted) return;
    const field = document.querySelector<HTMLElement>('[data-counted]');
    if (!field) return;
    toCount.current = null;
    field.focus();
  });
  return (code) => {
    toCount.current = significantDigits(code);
    setWanted(toCount.current);
  };
}

function CountActions({
  filled,
  isSaving,
  isPhone,
  onSave,
}: {
  filled: number;
  isSaving: boolean;
  isPhone: boolean;
  onSave: () => void;
}) {
  const navigate = useNavigate();
  const size = isPhone ? { h: 48 } : {};
  return (
    <div className={isPhone ? phone.actions : phone.row}>
      <Button variant="default" {...size} onClick={() => void navigate('/inventory')}>
        {t`Leave`}
      </Button>
      <Button {...size} disabled={filled === 0} loading={isSaving} onClick={onSave}>
        {filled === 0 ? t`Save count` : t`Save ${filled} counted`}
      </Button>
    </div>
  );
}

/** A count that was found again after a reload, or on another day. */
function KeptNotice({
  lines,
  at,
  wereSent,
  onDrop,
}: {
  lines: number;
  at: number;
  wereSent: boolean;
  onDrop: () => void;
}) {
  return (
    <Alert color="yellow" title={t`Your count was saved on this device`}>
      {wereSent
        ? sentWithoutAnswer
        : rich`${lines} counted lines of ${<ShopTime at={new Date(at).toISOString()} />}. They are not saved yet.`}
      <Button ml="sm" variant="default" onClick={onDrop}>
        {t`Discard them`}
      </Button>
    </Alert>
  );
}

interface FieldSize {
  readonly isPhone: boolean;
}

function ItemFilter({
  wanted,
  onWanted,
  isPhone,
}: FieldSize & { wanted: string; onWanted: (wanted: string) => void }) {
  return (
    <TextInput
      type="search"
      data-search
      aria-label={t`Find an item here`}
      placeholder={t`Find an item here`}
      w={isPhone ? '100%' : 280}
      size={isPhone ? 'lg' : 'sm'}
      value={wanted}
      onChange={(event) => onWanted(event.currentTarget.value)}
    />
  );
}

function ReasonField({
  reason,
  onReason,
  isPhone,
}: FieldSize & { reason: string; onReason: (reason: string) => void }) {
  return (
    <TextInput
      aria-label={t`Reason`}
      placeholder={t`Reason, recorded in the ledger`}
      w={isPhone ? '100%' : 240}
      size={isPhone ? 'lg' : 'sm'}
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
      title={t`Are these counts correct?`}
      action={t`Save the count`}
      keep={t`Count again`}
      isDangerous
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {farOff.map(({ level, counted }) => (
        <div key={level.id} className="numbers">
          {t`${itemName(level)}: ${counted} counted, ledger shows ${level.onHand}`}
        </div>
      ))}
    </ConfirmDialog>
  );
}

const columns: readonly Column<StockLevel>[] = [
  {
    id: 'item',
    header: t`Item`,
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
    header: t`Package`,
    width: 128,
    cell: ({ packageLabel }) => <PackageTag label={packageLabel} />,
  },
  { id: 'on-hand', header: t`On hand`, width: 96, align: 'end', cell: ({ onHand }) => onHand },
];

function countColumn(
  counts: ReadonlyMap<string, string>,
  onType: (level: StockLevel, counted: string) => void,
): Column<StockLevel> {
  return {
    id: 'counted',
    header: t`Counted`,
    width: 144,
    align: 'end',
    cell: (level) => (
      <DecimalInput
        size="xs"
        data-counted
        aria-label={labelOf(level)}
        value={counts.get(level.id) ?? ''}
        onChange={(counted) => onType(level, counted)}
      />
    ),
  };
}
