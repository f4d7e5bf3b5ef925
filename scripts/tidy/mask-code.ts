/** Text before a slash that begins a regular expression instead of a division. */
const beforeExpression = /(^|[(,=:[!&|?{};+\-*%<>~^]|\b(return|typeof|case|of|in|throw|await))\s*$/;

/**
 * TypeScript with blanked comments, and with `texts` also blanked contents of strings, templates and regular
 * expressions; code inside `${}` stays. Length and lines are unchanged.
 */
export function maskCode(source: string, { texts }: { readonly texts: boolean }): string {
  let out = '';
  let at = 0;
  /** For every open `${`, the number of open braces inside it. */
  const templates: number[] = [];

  const blank = (end: number): void => {
    out += source.slice(at, end).replace(/[^\n]/g, ' ');
    at = end;
  };
  const keep = (end: number): void => {
    out += source.slice(at, end);
    at = end;
  };
  /** From after the opening character to before the closing one. */
  const inside = (end: number): void => (texts ? blank(end) : keep(end));
  const skipEscaped = (from: number, isEnd: (position: number) => boolean): number => {
    let end = from;
    while (end < source.length && !isEnd(end)) end += source[end] === '\\' ? 2 : 1;
    return end;
  };
  const template = (): void => {
    inside(skipEscaped(at, (end) => source[end] === '`' || source.startsWith('${', end)));
    if (source[at] === '`') keep(at + 1);
    else {
      keep(at + 2);
      templates.push(0);
    }
  };

  while (at < source.length) {
    const character = source[at]!;
    if (source.startsWith('//', at))
      blank((source.indexOf('\n', at) + source.length + 1) % (source.length + 1));
    else if (source.startsWith('/*', at)) blank(source.indexOf('*/', at) + 2);
    else if (character === "'" || character === '"') {
      keep(at + 1);
      inside(skipEscaped(at, (end) => source[end] === character));
      keep(at + 1);
    } else if (character === '`') {
      keep(at + 1);
      template();
    } else if (character === '/' && beforeExpression.test(out.slice(-40))) {
      keep(at + 1);
      let isClass = false;
      inside(
        skipEscaped(at, (end) => {
          if (source[end] === '[') isClass = true;
          if (source[end] === ']') isClass = false;
          return source[end] === '\n' || (source[end] === '/' && !isClass);
        }),
      );
      keep(at + 1);
    } else if (character === '}' && templates.at(-1) === 0) {
      templates.pop();
      keep(at + 1);
      template();
    } else {
      if (templates.length > 0 && character === '{') templates[templates.length - 1]!++;
      if (templates.length > 0 && character === '}') templates[templates.length - 1]!--;
      keep(at + 1);
    }
  }
  return out;
}
