import { ActionIcon, Button, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { freshKey } from '../../parts/fresh-key.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { forScans } from '../../scanner/scanner.ts';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { blankOption, type OptionDraft, type PotencyField } from './product-draft.ts';

/** All options of a product in order. Options removed here are deleted on saving. */
export function OptionRows({
  options,
  onChange,
  contentUnit,
}: {
  options: readonly OptionDraft[];
  onChange: (options: OptionDraft[]) => void;
  /** The content unit of the category; null: options have no content. */
  contentUnit: string | null;
}) {
  const move = (from: number, to: number) => {
    const next = [...options];
    const [moved] = next.splice(from, 1);
    if (moved) next.splice(to, 0, moved);
    onChange(next);
  };
  return (
    <div className={classes.optionList}>
      {options.length > 0 && (
        <div className={classes.optionHeads} aria-hidden>
          <span>{t`Name`}</span>
          <span>{t`Amount`}</span>
          <span>{t`Price`}</span>
          <span>{t`Sale price`}</span>
          <span>{t`Content${contentUnit && ` (${contentUnit})`}`}</span>
          <span>{t`UPC`}</span>
          <span />
        </div>
      )}
      {options.map((option, index) => (
        <OptionRow
          key={option.key}
          option={option}
          index={index}
          hasContent={contentUnit !== null}
          isLast={index === options.length - 1}
          onChange={(changed) => onChange(options.map((it, at) => (at === index ? changed : it)))}
          onMove={(by) => move(index, index + by)}
          onRemove={() => onChange(options.filter((_, at) => at !== index))}
        />
      ))}
      {options.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`A product needs an option to be on the menu.`}
        </Text>
      )}
      <Button
        variant="default"
        size="compact-sm"
        mt="sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...options, blankOption(freshKey())])}
      >
        {t`Add an option`}
      </Button>
    </div>
  );
}

const potencyFields: readonly { readonly name: PotencyField; readonly words: string }[] = [
  { name: 'thcPercent', words: t`THC %` },
  { name: 'thcMg', words: t`THC mg` },
  { name: 'cbdPercent', words: t`CBD %` },
  { name: 'cbdMg', words: t`CBD mg` },
];

function OptionRow({
  option,
  index,
  hasContent,
  isLast,
  onChange,
  onMove,
  onRemove,
}: {
  option: OptionDraft;
  index: number;
  hasContent: boolean;
  isLast: boolean;
  onChange: (option: OptionDraft) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
}) {
  const path = (name: string) => `options[${index}].${name}`;
  const which = option.name || t`option ${index + 1}`;
  const label = (what: string) => t`${what} of ${which}`;
  const set = (changes: Partial<OptionDraft>) => onChange({ ...option, ...changes });
  return (
    <fieldset className={`bare ${classes.option}`} aria-label={which}>
      <TextField
        path={path('name')}
        label={t`Name`}
        aria-label={label(t`Name`)}
        placeholder={t`From its amount`}
        value={option.name}
        onChange={(value) => set({ name: value })}
      />
      <Field path={path('amount')}>
        {(error) => (
          <DecimalInput
            label={t`Amount`}
            required
            aria-label={label(t`Amount`)}
            error={error}
            value={option.amount}
            onChange={(amount) => set({ amount })}
          />
        )}
      </Field>
      <Field path={path('price')}>
        {(error) => (
          <MoneyInput
            label={t`Price`}
            required
            aria-label={label(t`Price`)}
            error={error}
            cents={option.price}
            onChange={(price) => set({ price })}
          />
        )}
      </Field>
      <Field path={path('salesPrice')}>
        {(error) => (
          <MoneyInput
            label={t`Sale price`}
            aria-label={label(t`Sale price`)}
            error={error}
            cents={option.salesPrice}
            onChange={(salesPrice) => set({ salesPrice })}
          />
        )}
      </Field>
      <Field path={path('content')}>
        {(error) => (
          <DecimalInput
            label={t`Content`}
            aria-label={label(t`Content`)}
            disabled={!hasContent && option.content === ''}
            error={error}
            value={option.content}
            onChange={(content) => set({ content })}
          />
        )}
      </Field>
      <TextField
        {...forScans}
        path={path('upc')}
        label={t`UPC`}
        aria-label={label('UPC')}
        className="numbers"
        value={option.upc}
        onChange={(value) => set({ upc: value })}
      />
      {hasContent && <Potencies option={option} path={path} label={label} set={set} />}
      <RowButtons which={which} isFirst={index === 0} isLast={isLast} onMove={onMove} onRemove={onRemove} />
    </fieldset>
  );
}

/** THC and CBD of one unit, where the product does not say them or says them otherwise. */
function Potencies({
  option,
  path,
  label,
  set,
}: {
  option: OptionDraft;
  path: (name: string) => string;
  label: (what: string) => string;
  set: (changes: Partial<OptionDraft>) => void;
}) {
  return (
    <div className={classes.potencies}>
      {potencyFields.map(({ name, words }) => (
        <Field key={name} path={path(name)}>
          {(error) => (
            <DecimalInput
              placeholder={words}
              aria-label={label(words)}
              error={error}
              value={option[name]}
              onChange={(value) => set({ [name]: value })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

function RowButtons({
  which,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: {
  /** The name of the option, for the buttons' names. */
  which: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
  onRemove: () => void;
}) {
  return (
    <div className={classes.optionButtons}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t`Move ${which} up`}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t`Move ${which} down`}
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="red" aria-label={t`Remove ${which}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}
