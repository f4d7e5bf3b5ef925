type Block =
  | { readonly kind: 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: string[] };

export type Inline =
  | { readonly kind: 'text' | 'strong' | 'emphasis' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly address: string };

/** The Markdown blocks that descriptions use: headings, lists, paragraphs. Anything else is a paragraph. */
export function blocksOf(source: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const part of source.split(/\n\s*\n/)) {
    const lines = part.split('\n').map((line) => line.trim());
    for (const line of lines) {
      if (line !== '') addLine(blocks, line);
    }
    // The next part starts its own block.
    blocks.push({ kind: 'paragraph', text: '' });
  }
  return blocks.filter((block) => block.kind === 'list' || block.text !== '');
}

function addLine(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  const heading = /^#{1,6}\s+(\S.*)$/s.exec(line)?.[1];
  const item = /^(?:[-*+]|(\d+)[.)])\s+(\S.*)$/s.exec(line);
  if (heading !== undefined) blocks.push({ kind: 'heading', text: withoutClosing(heading) });
  else if (item?.[2] !== undefined) {
    const isOrdered = item[1] !== undefined;
    if (last?.kind === 'list' && last.isOrdered === isOrdered) {
      last.items.push(item[2]);
    } else blocks.push({ kind: 'list', isOrdered, items: [item[2]] });
  } else if (last?.kind === 'paragraph' && last.text !== '') {
    blocks[blocks.length - 1] = { ...last, text: `${last.text} ${line}` };
  } else blocks.push({ kind: 'paragraph', text: line });
}

/** The heading without the signs that may end it. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 1 && heading[end - 1] === '#') end--;
  return heading.slice(0, end).trimEnd();
}

// Each part ends before the sign that could begin another one: otherwise a text of "[" would be searched once for each of them.
const inlinePattern =
  /\\([!-/:-@[-`{-~])|`([^`]+)`|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|\b_([^_\s][^_]*)_\b|\[([^[\]]+)\]\(((?:[^\s()[\]]|\([^\s()[\]]*\))+)\)/gs;

/** The inline parts of a line. Only web links become links; others stay text. */
export function inlinesOf(text: string): readonly Inline[] {
  const pieces: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    pieces.push(inlineOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

function inlineOf([
  whole,
  sign,
  code,
  bold,
  boldToo,
  italic,
  italicToo,
  label,
  address,
]: RegExpExecArray): Inline {
  if (sign !== undefined) return { kind: 'text', text: sign };
  if (code !== undefined) return { kind: 'code', text: code };
  const strong = bold ?? boldToo;
  if (strong !== undefined) return { kind: 'strong', text: strong };
  const emphasis = italic ?? italicToo;
  if (emphasis !== undefined) return { kind: 'emphasis', text: emphasis };
  if (label !== undefined && address !== undefined && /^https?:\/\//i.test(address)) {
    return { kind: 'link', text: label, address };
  }
  return { kind: 'text', text: whole };
}
