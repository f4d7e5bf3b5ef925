import { Checkbox, Modal, Select, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { MomentInput } from '../../parts/moment-input.tsx';
import { Field, ListField, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { t } from '../../words/words.ts';
import { grantedAs, isPublishable, type Part, type Permission, partWords, permissions } from './key-words.ts';

const blank = {
  integratorId: null as string | null,
  name: '',
  permissions: [] as Permission[],
  parts: {} as Partial<Record<Permission, Part>>,
  expiresAt: null as string | null,
  allowedAddresses: [] as string[],
  publishable: false,
  origins: [] as string[],
  vouched: false,
  strict: false,
};

/** Issues a client key for an integrator; the reply contains its text, only once. */
export function IssueKeyDialog({
  opened,
  onClose,
  onIssued,
}: {
  opened: boolean;
  onClose: () => void;
  onIssued: (key: Schema['FreshClientKey']) => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Issue a client key`} size="lg">
      <IssueKeyForm onCancel={onClose} onIssued={onIssued} />
    </Modal>
  );
}

function IssueKeyForm({
  onCancel,
  onIssued,
}: {
  onCancel: () => void;
  onIssued: (key: Schema['FreshClientKey']) => void;
}) {
  const [draft, setDraft] = useState(blank);
  useUnsavedWork(JSON.stringify(draft) !== JSON.stringify(blank));
  const set = (changes: Partial<typeof blank>) => setDraft((present) => ({ ...present, ...changes }));
  const send = async () => {
    const {
      integratorId,
      permissions: chosen,
      parts,
      origins,
      allowedAddresses,
      publishable,
      vouched,
      ...rest
    } = draft;
    const customers = vouched ? ('vouched' as const) : ('proven' as const);
    const kind = publishable
      ? { publishable, origins, permissions: chosen.filter(isPublishable) }
      : { allowedAddresses, permissions: chosen.map((it) => grantedAs(it, parts[it])), customers };
    // A missing choice is not sent, so the service reports it as required.
    const body = { ...rest, ...kind, ...(integratorId !== null && { integratorId: Number(integratorId) }) };
    onIssued(
      await dataOf(
        api.POST('/staff/v1/client-keys', { body: body as typeof body & { integratorId: number } }),
      ),
    );
  };
  return (
    <ServerForm submit={t`Issue key`} onCancel={onCancel} onSubmit={send}>
      <IntegratorField value={draft.integratorId} onChange={(integratorId) => set({ integratorId })} />
      <TextField
        path="name"
        label={t`Name`}
        description={t`Your name for the key`}
        value={draft.name}
        onChange={(value) => set({ name: value })}
      />
      <PagesFields draft={draft} set={set} />
      <VouchedField draft={draft} set={set} />
      <PermissionsField draft={draft} set={set} />
      <Field path="expiresAt">
        {(error) => (
          <MomentInput
            label={t`Expires`}
            description={t`Leave empty for no expiry`}
            w={240}
            error={error}
            moment={draft.expiresAt}
            onChange={(expiresAt) => set({ expiresAt })}
          />
        )}
      </Field>
      {!draft.publishable && (
        <ListField path="allowedAddresses" items={draft.allowedAddresses}>
          {(error) => (
            <TagsInput
              label={t`Allowed addresses`}
              description={t`IP addresses and ranges such as 203.0.113.0/24; leave empty to allow all`}
              placeholder={draft.allowedAddresses.length === 0 ? t`Type and press Enter` : undefined}
              splitChars={[',', ' ', ';']}
              acceptValueOnBlur
              error={error}
              value={draft.allowedAddresses}
              onChange={(allowedAddresses) => set({ allowedAddresses })}
            />
          )}
        </ListField>
      )}
      <Checkbox
        label={t`Strict`}
        description={t`Refuses unknown field names and suggests the nearest one; useful in development`}
        checked={draft.strict}
        onChange={(event) => set({ strict: event.currentTarget.checked })}
      />
    </ServerForm>
  );
}

function IntegratorField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (integratorId: string | null) => void;
}) {
  const integrators = useQuery({
    queryKey: ['integrators'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/integrators', { signal })),
  });
  return (
    <Field path="integratorId">
      {(error) => (
        <Select
          label={t`Integrator`}
          description={t`The company that will use the key`}
          placeholder={integrators.isPending ? t`Loading …` : t`Choose one`}
          searchable
          openOnFocus={false}
          data-autofocus
          error={error ?? (integrators.error ? t`The integrators could not be loaded` : undefined)}
          data={choicesOr(
            (integrators.data ?? []).map(({ id, name }) => ({
              value: String(id),
              label: namesakes(name, integrators.data) ? `${name} (${id})` : name,
            })),
            integrators,
            createHints.integrators,
          )}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

/** Whether the key is for web pages, and for which. */
function PagesFields({ draft, set }: { draft: typeof blank; set: (changes: Partial<typeof blank>) => void }) {
  return (
    <>
      <Checkbox
        label={t`For web pages`}
        description={t`A publishable key: every visitor can read it in the page, so it can only show the menu and place orders`}
        checked={draft.publishable}
        onChange={(event) => set({ publishable: event.currentTarget.checked })}
      />
      {draft.publishable && (
        <ListField path="origins" items={draft.origins}>
          {(error) => (
            <TagsInput
              label={t`Origins`}
              description={t`Addresses of these pages with scheme and port, without a path; the key works on no other page`}
              placeholder={draft.origins.length === 0 ? t`Type and press Enter` : undefined}
              splitChars={[',', ' ', ';']}
              acceptValueOnBlur
              error={error}
              value={draft.origins}
              onChange={(origins) => set({ origins })}
            />
          )}
        </ListField>
      )}
    </>
  );
}

function PermissionsField({
  draft,
  set,
}: {
  draft: typeof blank;
  set: (changes: Partial<typeof blank>) => void;
}) {
  const isOffered = ({ value }: (typeof permissions)[number]) => !draft.publishable || isPublishable(value);
  return (
    <Field path="permissions">
      {(error) => (
        <Checkbox.Group
          label={t`Permissions`}
          description={
            draft.publishable ? undefined : t`Without permissions, the key can only read its own identity`
          }
          error={error}
          value={draft.permissions}
          onChange={(chosen) => set({ permissions: chosen as Permission[] })}
        >
          <Stack gap="sm" mt="xs">
            {permissions.filter(isOffered).map(({ value, label, hint, pageHint = hint, hasParts }) => (
              <div key={value}>
                <Checkbox value={value} label={label} description={draft.publishable ? pageHint : hint} />
                {hasParts && !draft.publishable && draft.permissions.includes(value) && (
                  <PartField
                    of={label}
                    part={draft.parts[value] ?? 'both'}
                    onChange={(part) => set({ parts: { ...draft.parts, [value]: part } })}
                  />
                )}
              </div>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Field>
  );
}

const partChoices = (['both', 'read', 'write'] as const).map((value) => ({ value, label: partWords[value] }));

/** Whether a key has a permission as a whole, or only its reading or its writing part. */
function PartField({ of, part, onChange }: { of: string; part: Part; onChange: (part: Part) => void }) {
  return (
    <Select
      aria-label={t`${of}: how much`}
      w={240}
      ml={32}
      mt={4}
      allowDeselect={false}
      data={partChoices}
      value={part}
      onChange={(chosen) => onChange(chosen as Part)}
    />
  );
}

/** Whether the owner trusts the integrator to know who each customer is (D62); never for web pages. */
function VouchedField({
  draft,
  set,
}: {
  draft: typeof blank;
  set: (changes: Partial<typeof blank>) => void;
}) {
  if (draft.publishable) return null;
  return (
    <Checkbox
      label={t`Signs its customers in itself`}
      description={t`Check this only if the integrator makes sure who each customer is: a customer that it names has the credits, points, prices and medical status of the profile. Otherwise customers prove themselves by a code that your shop sends`}
      checked={draft.vouched}
      onChange={(event) => set({ vouched: event.currentTarget.checked })}
    />
  );
}

/** Whether other integrators have the same name. */
function namesakes(name: string, all: readonly { readonly name: string }[] = []): boolean {
  return all.filter((it) => it.name === name).length > 1;
}
