import { Alert, Button, Group, Progress, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { rich } from '../../words/rich.ts';
import { locale, t } from '../../words/words.ts';
import '@mantine/core/styles/Progress.css';
import { IconArrowLeft, IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { MenuImportColumns } from './menu-import-columns.tsx';
import {
  canBeCanceled,
  importQuery,
  isOpen,
  isRunning,
  type MenuImport,
  modeWords,
  statusWords,
} from './menu-import-words.ts';

/** One import in four steps: the file, its columns, a check of all rows, the import. */
export function MenuImportSteps({ menuImportId, onClose }: { menuImportId: number; onClose: () => void }) {
  useLive(['menu-imports']);
  const read = useQuery(importQuery(menuImportId));
  const menu = read.data;
  return (
    <Page>
      <PageHeader
        title={menu ? t`Import of ${menu.fileName}` : t`Import`}
        actions={
          <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
            {t`All imports`}
          </Button>
        }
      />
      {read.isPending && <Skeleton height={240} />}
      {read.error && !menu && <LoadFailure error={read.error} onRetry={() => read.refetch()} />}
      {menu && (
        <Stack gap="md">
          <FileStep menu={menu} />
          {isOpen(menu) && <MenuImportColumns key={menu.updatedAt} menu={menu} />}
          <RunSteps menu={menu} />
        </Stack>
      )}
    </Page>
  );
}

function FileStep({ menu }: { menu: MenuImport }) {
  return (
    <SectionCard title={t`1. File`}>
      <Text size="sm">
        {rich`${menu.records.toLocaleString(locale())} rows or objects, uploaded by ${menu.createdByName}, ${<ShopTime at={menu.createdAt} />}`}
        {menu.mapping ? t`, read as ${menu.mapping.preset}` : t`, with the columns of this service`}.
      </Text>
      {!menu.hasFile && menu.status !== 'undone' && menu.status !== 'done' && (
        <Text size="sm">{t`The file is no longer here. Upload it again to go on.`}</Text>
      )}
    </SectionCard>
  );
}

function RunSteps({ menu }: { menu: MenuImport }) {
  const queryClient = useQueryClient();
  const mayImport = useCan('staffRunMenuImport');
  const [mode, setMode] = useState<MenuImport['mode']>(menu.mode);
  const path = { menuImportId: menu.id };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['menu-imports'] });
  const run = useWrite({
    mutationFn: (dryRun: boolean) =>
      dataOf(
        api.POST('/staff/v1/menu-imports/{menuImportId}/runs', {
          params: { path },
          body: { mode, dryRun },
        }),
      ),
    onSuccess: (begun) => queryClient.setQueryData(importQuery(menu.id).queryKey, begun),
    onError: notifyError,
    onSettled: refresh,
  });
  const canRun = mayImport && isOpen(menu);
  const isChecked = menu.status === 'checked' && menu.mode === mode;
  return (
    <>
      {isOpen(menu) && (
        <SectionCard title={t`3. Check`} hint={t`Checks every row. Nothing is saved yet.`}>
          <Stack gap="md">
            <Radio.Group
              label={t`What the import does`}
              value={mode}
              onChange={(value) => setMode(value as MenuImport['mode'])}
            >
              <Stack gap="xs" mt="xs">
                {Object.entries(modeWords).map(([value, label]) => (
                  <Radio key={value} value={value} label={label} disabled={!canRun} />
                ))}
              </Stack>
            </Radio.Group>
            <Group>
              <Button
                variant={isChecked ? 'default' : 'filled'}
                disabled={!canRun}
                loading={run.isPending}
                onClick={() => run.mutate(true)}
              >
                {t`Check all rows`}
              </Button>
            </Group>
            {menu.status === 'checked' && <Counts menu={menu} isPlan />}
          </Stack>
        </SectionCard>
      )}
      <SectionCard title={t`4. Import`}>
        <Stack gap="md">
          {isRunning(menu) && <Going menu={menu} />}
          {canBeCanceled(menu) && mayImport && <CancelButton menu={menu} onDone={refresh} />}
          {menu.status === 'canceled' && (
            <Text size="sm">{t`This import was canceled. What was imported before that stays.`}</Text>
          )}
          {menu.failure && (
            <Alert color="red" role="alert" title={t`The import failed`}>
              {menu.failure}
            </Alert>
          )}
          {isOpen(menu) && (
            <Group>
              <Button
                disabled={!canRun || !isChecked}
                loading={run.isPending}
                onClick={() => run.mutate(false)}
              >
                {t`Import`}
              </Button>
              {!isChecked && (
                <Text size="sm" c="dimmed">
                  {t`Check the rows first.`}
                </Text>
              )}
            </Group>
          )}
          {(menu.status === 'done' || menu.status === 'undone') && (
            <>
              <Text size="sm">
                {statusWords[menu.status]} <ShopTime at={menu.finishedAt} />.
              </Text>
              <Counts menu={menu} isPlan={false} />
              <Text size="sm">{t`New products are on no menu until you activate them.`}</Text>
            </>
          )}
          {menu.canBeUndone && mayImport && <UndoButton menu={menu} onDone={refresh} />}
        </Stack>
      </SectionCard>
    </>
  );
}

function UndoButton({ menu, onDone }: { menu: MenuImport; onDone: () => Promise<unknown> }) {
  const [isAsking, setAsking] = useState(false);
  const path = { menuImportId: menu.id };
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t`Undo this import`}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t`Undo this import`}
        action={t`Undo`}
        isDangerous
        onConfirm={async () => {
          await dataOf(api.POST('/staff/v1/menu-imports/{menuImportId}/undo', { params: { path } }));
          await onDone();
        }}
        onClose={() => setAsking(false)}
      >
        {t`${menu.created} products that it added are deleted, ${menu.changed} get back what was not edited since, and ${menu.retired} return to the menu. This works only until one of the added products is sold.`}
      </ConfirmDialog>
    </Group>
  );
}

function CancelButton({ menu, onDone }: { menu: MenuImport; onDone: () => Promise<unknown> }) {
  const [isAsking, setAsking] = useState(false);
  const path = { menuImportId: menu.id };
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t`Cancel this import`}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t`Cancel this import`}
        action={t`Cancel this import`}
        isDangerous
        onConfirm={async () => {
          await dataOf(api.POST('/staff/v1/menu-imports/{menuImportId}/cancel', { params: { path } }));
          await onDone();
        }}
        onClose={() => setAsking(false)}
      >
        {t`The rest is not imported. What was imported so far stays, and you can undo it.`}
      </ConfirmDialog>
    </Group>
  );
}

function Going({ menu }: { menu: MenuImport }) {
  return (
    <div>
      <Text size="sm" mb="xs" role="status">
        {t`${statusWords[menu.status]}: ${menu.products.toLocaleString(locale())} products, ${menu.percent} %`}
      </Text>
      <Progress value={menu.percent} size="lg" aria-label={t`${statusWords[menu.status]}, percent done`} />
    </div>
  );
}

/** What a run has done, or would do. */
function Counts({ menu, isPlan }: { menu: MenuImport; isPlan: boolean }) {
  const { created, changed, retired, refused, products } = menu;
  const same = products - created - changed - refused;
  return (
    <Stack gap="xs">
      <Text size="sm" className="numbers" role="status">
        {isPlan
          ? t`Will add ${created}, change ${changed}, take ${retired} off the menu; ${same} unchanged, ${refused} refused.`
          : t`Added ${created}, changed ${changed}, took ${retired} off the menu; ${same} unchanged, ${refused} refused.`}
      </Text>
      {menu.notes > 0 && <Text size="sm">{t`${menu.notes} values were read differently than written.`}</Text>}
      {(refused > 0 || menu.notes > 0) && <RefusedRows menu={menu} />}
    </Stack>
  );
}

function RefusedRows({ menu }: { menu: MenuImport }) {
  const load = useWrite({
    mutationFn: async () => {
      const { data } = await api.GET('/staff/v1/menu-imports/{menuImportId}/problems', {
        params: { path: { menuImportId: menu.id }, query: { format: 'csv' } },
        parseAs: 'blob',
      });
      return data as unknown as Blob;
    },
    onSuccess: (file) => saveFile(file, `refused-rows-${menu.id}.csv`),
    onError: notifyError,
  });
  return (
    <Group>
      <Button
        variant="default"
        loading={load.isPending}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => load.mutate()}
      >
        {menu.notes > 0 ? t`Refused rows and notes as CSV` : t`Refused rows as CSV`}
      </Button>
      {menu.mode === 'sync' && menu.refused > 0 && (
        <Text size="sm">
          {t`Nothing is taken off the menu while rows are refused: a refused row may be the product.`}
        </Text>
      )}
    </Group>
  );
}
