import { Accordion, Checkbox, Group, Modal, Select, SimpleGrid } from '@mantine/core';
import { said, t } from '../../words/words.ts';
import '@mantine/core/styles/Accordion.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { forScans } from '../../scanner/scanner.ts';
import { blankDetails, filledDetails, PackageDetailFields, PackageMarks } from './package-fields.tsx';
import { keepPackage } from './package-query.ts';
import { noReception, ReceptionFields } from './receive-package-dialog.tsx';
import type { Package } from './stock-words.ts';

/** The state systems' units, as the service names them. */
const packageUnits = [
  ...['Each', 'Grams', 'Kilograms', 'Milligrams', 'Ounces', 'Pounds'],
  ...['Fluid Ounces', 'Gallons', 'Liters', 'Milliliters', 'Pints'],
];

/** Adds an incoming package. It has no stock until it is received. */
export function NewPackageDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (added: Package) => void;
}) {
  const queryClient = useQueryClient();
  const [label, setLabel] = useState('');
  const [unit, setUnit] = useState(packageUnits[0]!);
  const [initialAmount, setInitialAmount] = useState('');
  const [details, setDetails] = useState(blankDetails);
  const [isHere, setHere] = useState(true);
  const [here, setReception] = useState(noReception);
  const settle = useUnsavedWork(label !== '' || initialAmount !== '' || details !== blankDetails);
  const edit = {
    draft: details,
    set: (name: keyof typeof details, value: unknown) => setDetails((it) => ({ ...it, [name]: value })),
  };
  const add = async () => {
    const reception = isHere ? receptionOf(here) : undefined;
    const body = {
      ...{ label: label.trim().toUpperCase(), unit, initialAmount },
      ...(reception && { reception }),
      ...filledDetails(details),
    };
    const added = await dataOf(api.POST('/staff/v1/packages', { body }));
    keepPackage(queryClient, added);
    notifyDone(isHere ? t`The package is in stock.` : t`The package is added. Receive it when it arrives.`);
    settle();
    onAdded(added);
  };
  return (
    <Modal opened onClose={onClose} title={t`New package`} size="lg">
      <ServerForm onSubmit={add} onCancel={onClose} submit={t`Add package`}>
        <TextField
          path="label"
          label={t`Label`}
          description={t`24 characters, as on the tag`}
          required
          data-autofocus
          {...forScans}
          className="numbers"
          maxLength={24}
          value={label}
          onChange={setLabel}
        />
        <SimpleGrid cols={2}>
          <Field path="initialAmount">
            {(error) => (
              <DecimalInput
                label={t`Amount`}
                required
                error={error}
                value={initialAmount}
                onChange={setInitialAmount}
              />
            )}
          </Field>
          <Field path="unit">
            {(error) => (
              <Select
                label={t`Unit`}
                required
                error={error}
                data={packageUnits.map((value) => ({ value, label: said(value) }))}
                value={unit}
                onChange={(value) => value && setUnit(value)}
              />
            )}
          </Field>
        </SimpleGrid>
        <Checkbox
          label={t`It has arrived: receive it now`}
          checked={isHere}
          onChange={(event) => setHere(event.currentTarget.checked)}
        />
        {isHere && (
          <ReceptionFields
            value={here}
            prefix="reception."
            onChange={(changes) => setReception((before) => ({ ...before, ...changes }))}
          />
        )}
        <Group gap="xl">
          <PackageMarks {...edit} />
        </Group>
        <Accordion variant="contained" defaultValue="details">
          <Accordion.Item value="details">
            <Accordion.Control>{t`Dates, lab results, origin`}</Accordion.Control>
            <Accordion.Panel>
              <PackageDetailFields {...edit} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      </ServerForm>
    </Modal>
  );
}

/** What is received, for the body; missing fields are left out, so the service names them. */
function receptionOf({ item, location, multiplier, costPerUnit }: typeof noReception) {
  return {
    ...(item && { productId: item.productId, productOptionId: item.productOptionId }),
    ...(location && { inventoryLocationId: Number(location) }),
    ...{ costPerUnit, ...(multiplier && { multiplier }) },
  } as { productId: number; inventoryLocationId: number; costPerUnit: string };
}
