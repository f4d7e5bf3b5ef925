import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { sayDone, sayFailed } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { blankDetails, detailsOf, PackageDetailFields, type PackageDetails } from './package-fields.tsx';
import { keepPackage } from './package-query.ts';
import type { Package } from './stock-words.ts';

/**
 * Changes what is said of a package. Only what was touched is sent. It is not sent as an edit of what was told: every sale
 * out of a package changes it, and it cannot be read again.
 */
export function PackageForm({ packageId, told }: { packageId: number; told: Package | undefined }) {
  const queryClient = useQueryClient();
  const edit = useEdit<PackageDetails>(told ? detailsOf(told) : blankDetails);
  const patch = async (body: Partial<PackageDetails>) => {
    const saved = await dataOf(
      api.PATCH('/staff/v1/packages/{packageId}', {
        params: { path: { packageId } },
        body,
      }),
    );
    keepPackage(queryClient, saved);
    for (const key of ['inventory', 'packages']) void queryClient.invalidateQueries({ queryKey: [key] });
  };
  const mark = useMutation({ mutationFn: patch, onError: sayFailed });
  return (
    <>
      <SectionCard title="Sale" hint="A package on hold is not sold while it is; a trade sample never.">
        <Group gap="sm">
          {marks
            .filter(({ change }) => !told || told[change.name] !== change.value)
            .map(({ label, change }) => (
              <Button
                key={label}
                variant="default"
                size="compact-md"
                loading={mark.isPending}
                onClick={() => mark.mutate({ [change.name]: change.value })}
              >
                {label}
              </Button>
            ))}
        </Group>
      </SectionCard>
      <ServerForm
        onSubmit={async () => {
          await patch(edit.changes);
          edit.reset();
        }}
        onDone={() => sayDone('The package is saved.')}
        submit="Save details"
      >
        <SectionCard title="Dates, lab results, origin">
          {!told && (
            <Text size="sm" c="dimmed" mb="sm">
              What you leave empty stays as it is.
            </Text>
          )}
          <PackageDetailFields {...edit} />
        </SectionCard>
      </ServerForm>
    </>
  );
}

const marks = [
  { label: 'Put on hold', change: { name: 'onHold', value: true } },
  { label: 'Take off hold', change: { name: 'onHold', value: false } },
  { label: 'Make it a trade sample', change: { name: 'tradeSample', value: true } },
  { label: 'No trade sample any more', change: { name: 'tradeSample', value: false } },
] as const;
