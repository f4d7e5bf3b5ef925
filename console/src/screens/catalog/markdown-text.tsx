import { Anchor, Code, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../words/words.ts';
import { blocksOf, type Inline, inlinesOf } from './markdown-blocks.ts';

/** Markdown as menus show it, rendered as elements, never as HTML: HTML in the source is shown as text. */
export function MarkdownText({ source }: { source: string }) {
  const blocks = blocksOf(source);
  if (blocks.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t`No description yet.`}
      </Text>
    );
  }
  return blocks.map((block, index) => {
    const key = `${index} ${block.kind}`;
    if (block.kind === 'heading') {
      return (
        <Title key={key} order={4} size="h4" my="xs">
          <Inlines text={block.text} />
        </Title>
      );
    }
    if (block.kind === 'list') {
      return (
        <List key={key} type={block.isOrdered ? 'ordered' : 'unordered'} size="sm" my="xs">
          {block.items.map((item) => (
            <List.Item key={item}>
              <Inlines text={item} />
            </List.Item>
          ))}
        </List>
      );
    }
    return (
      <Text key={key} size="sm" my="xs">
        <Inlines text={block.text} />
      </Text>
    );
  });
}

function Inlines({ text }: { text: string }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: inline parts have no id
  return inlinesOf(text).map((inline, index) => <Piece key={index} inline={inline} />);
}

function Piece({ inline }: { inline: Inline }): ReactNode {
  switch (inline.kind) {
    case 'strong':
      return <strong>{inline.text}</strong>;
    case 'emphasis':
      return <em>{inline.text}</em>;
    case 'code':
      return <Code>{inline.text}</Code>;
    case 'link':
      return (
        <Anchor href={inline.address} target="_blank" rel="noopener noreferrer nofollow" inherit>
          {inline.text}
        </Anchor>
      );
    default:
      return inline.text;
  }
}
