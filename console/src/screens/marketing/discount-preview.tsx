import { Text } from '@mantine/core';
import { SectionCard } from '../../parts/section-card.tsx';
import { t } from '../../words/words.ts';
import { type DiscountDraft, withoutForeignFields } from './discount-draft.ts';
import { discountSentence } from './discount-sentence.ts';
import classes from './marketing.module.css';
import { useTargetNames } from './use-target-names.ts';

/** The discount in plain words, updated while typing. */
export function DiscountPreview({ draft }: { draft: DiscountDraft }) {
  const names = useTargetNames([draft]);
  return (
    <SectionCard title={t`In plain words`}>
      <Text className={classes.sentence} aria-live="polite">
        {discountSentence(withoutForeignFields(draft), names)}
      </Text>
    </SectionCard>
  );
}
