import { Anchor, Badge, Group, Stack, Text, Tooltip } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { said, t } from '../../words/words.ts';

type Source = Schema['FactSource'];

/** How reliable a legal fact is and how old its reading: a badge that links to the source. */
export function LawSource({ source }: { source: Source }) {
  const age = ageInWords(source);
  const mark = (
    <Badge
      size="sm"
      radius="sm"
      style={{ flexShrink: 0 }}
      variant="light"
      color={
        source.isStale || source.pending !== null ? 'yellow' : source.confidence === 'high' ? 'teal' : 'gray'
      }
    >
      {source.pending !== null ? t`Changing` : source.isStale ? t`Old` : said(source.confidence)}
    </Badge>
  );
  return (
    <Tooltip label={`${source.source} ${age}`} multiline maw={420} withArrow>
      <Group gap={6} component="span">
        {mark}
        {source.link === null ? (
          <Text span fz="xs" c="dimmed">
            {source.citation}
          </Text>
        ) : (
          <Anchor fz="xs" href={source.link} target="_blank" rel="noopener noreferrer" title={age}>
            {source.citation}
          </Anchor>
        )}
      </Group>
    </Tooltip>
  );
}

/** "Read on Nov 20, 2026 (primary text of 2021-07-14)." */
export function ageInWords({ readOn, textOf, sourceKind, pending }: Source): string {
  const kind = sourceKind === 'primary' ? t`primary text` : t`secondary source`;
  const text = textOf === null ? t`${kind} without a date` : t`${kind} of ${textOf}`;
  return t`Read on ${dayInWords(readOn)} (${text}).${pending === null ? '' : ` ${pending}`}`;
}

/** The marks of a limit's equivalences; several with one source have one mark. */
export function EquivalenceSources({
  equivalences,
}: {
  equivalences: readonly Schema['LimitEquivalence'][];
}) {
  const groups: Schema['LimitEquivalence'][][] = [];
  for (const equivalence of equivalences) {
    const group = groups.find(([first]) => first!.source.source === equivalence.source.source);
    if (group === undefined) groups.push([equivalence]);
    else group.push(equivalence);
  }
  return groups.map((group) => (
    <Stack key={group[0]!.cannabisType} gap={0} mt={4}>
      <Text fz="xs" c="dimmed">
        {group.map(({ words }) => words).join(', ')}:
      </Text>
      <LawSource source={group[0]!.source} />
    </Stack>
  ));
}
