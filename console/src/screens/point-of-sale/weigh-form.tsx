import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { dollars } from '../../parts/dollars.ts';
import type { Jar, SaleOption } from '../../parts/sale-options.ts';
import { typedGrams } from '../../scale/scale-reading.ts';
import { useScale } from '../../scale/use-scale.ts';
import { t } from '../../words/words.ts';
import { JarChoice, useJars } from './jar-choice.tsx';
import { isHeavier } from './line-numbers.ts';
import { NumberPad } from './number-pad.tsx';
import { priceInWords } from './weight-words.ts';

/** Weighs goods that are sold loose, to add them to the cart. */
export function WeighDialog({
  option,
  present,
  onTake,
  onClose,
}: {
  option: SaleOption;
  /** What of it is in the cart; null: nothing. */
  present: string | null;
  onTake: (grams: string, jar: Jar | null) => void;
  onClose: () => void;
}) {
  return (
    <Modal opened onClose={onClose} title={t`Weigh ${option.productName}`} size="sm">
      <WeighForm
        option={option}
        note={present === null ? null : t`${present} g are in the cart; this comes on top.`}
        verb={t`Add`}
        onTake={(grams, jar) => {
          onTake(grams, jar);
          onClose();
        }}
      />
    </Modal>
  );
}

/** A weight from the scale, the pad or the keyboard, with its price and why, and the package that it comes out of. */
export function WeighForm({
  option,
  jar,
  note,
  verb,
  onTake,
}: {
  /** Goods sold loose. */
  option: SaleOption;
  /** The package of the line; absent: the one that was scanned. */
  jar?: Jar | undefined;
  note: string | null;
  verb: string;
  onTake: (grams: string, jar: Jar | null) => void;
}) {
  const goods = option.loose!;
  const first = jar ?? option.jar;
  const jars = useJars(option.productId, first);
  const [jarId, setJarId] = useState(first?.packageId ?? null);
  const chosen = jars.find(({ packageId }) => packageId === jarId) ?? null;
  const [typed, setTyped] = useState('');
  const scale = useScale();
  const onScale = scale.reading?.isStable ? scale.reading.grams : null;
  // The scale fills the field; what a person types stays.
  const [isOfScale, setOfScale] = useState(true);
  useEffect(() => {
    if (isOfScale && onScale !== null) setTyped(onScale);
  }, [isOfScale, onScale]);
  const type = (text: string) => {
    setOfScale(text === '');
    setTyped(text);
  };
  const grams = typedGrams(typed);
  const isTooMuch = grams !== null && chosen?.left != null && isHeavier(grams, chosen.left);
  const jarOf = ({ packageId, label }: Jar) => ({ packageId, label });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (grams !== null && !isTooMuch) onTake(grams, chosen && jarOf(chosen));
      }}
    >
      <Stack>
        <JarChoice jars={jars} chosen={chosen} onChoose={setJarId} />
        <Scale {...scale} />
        <Group gap="xs" role="group" aria-label={t`Sizes`}>
          {goods.sizes.map(({ amount, cents }) => (
            <Button key={amount} variant="default" onClick={() => type(amount)}>
              {t`${amount} g`} · {dollars(cents)}
            </Button>
          ))}
        </Group>
        <TextInput
          label={t`Grams`}
          description={note}
          data-autofocus
          inputMode="none"
          autoComplete="off"
          size="lg"
          className="numbers"
          value={typed}
          error={
            typed !== '' && grams === null
              ? t`Enter a weight such as 3.52`
              : isTooMuch && t`The package has ${chosen!.left} g left`
          }
          onChange={(event) => type(event.currentTarget.value)}
        />
        <NumberPad value={typed} hasPoint onChange={type} />
        <Text size="sm" role="status" mih={20}>
          {grams !== null && priceInWords(goods, grams)}
        </Text>
        <Button type="submit" size="md" disabled={grams === null || isTooMuch}>
          {grams === null ? verb : `${verb} ${t`${grams} g`}`}
        </Button>
      </Stack>
    </form>
  );
}

function Scale({ reading, isOpen, error, kinds, connect }: ReturnType<typeof useScale>) {
  if (isOpen) {
    return (
      <Group justify="space-between" aria-live="off">
        <Text c="dimmed">{t`On the scale`}</Text>
        <Text size="xl" fw={700} className="numbers" c={reading?.isStable ? undefined : 'dimmed'}>
          {reading === null ? t`0.00 g` : t`${reading.grams} g`}
        </Text>
      </Group>
    );
  }
  return (
    <>
      {error !== null && (
        <Alert color="red" p="xs">
          {error}
        </Alert>
      )}
      {kinds.length > 0 && (
        <Group gap="xs">
          {kinds.map((kind) => (
            <Button
              key={kind}
              variant="subtle"
              size="compact-md"
              leftSection={<IconScale size={18} aria-hidden />}
              onClick={() => connect(kind)}
            >
              {kind === 'hid' ? t`Connect a USB scale` : t`Connect a serial scale`}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
