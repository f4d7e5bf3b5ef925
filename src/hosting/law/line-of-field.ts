/**
 * The line of a JSON text on which a field stands, counted from 1; of a field that is absent, the line of what lacks it. The text is valid
 * JSON. Pure.
 */
export function lineOfField(text: string, path: readonly (string | number)[]): number {
  let line = 1;
  let read = 0;
  let found = { line: 1, depth: -1 };
  /** The name or index of what is read, in each open object and array. */
  const at: (string | number)[] = [];
  const arrays: boolean[] = [];
  let awaitsName = false;
  let begins = false;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    line += text.slice(read, index).split('\n').length - 1;
    read = index;
    if (awaitsName && token.startsWith('"')) {
      at[at.length - 1] = JSON.parse(token) as string;
      awaitsName = false;
      begins = true;
    }
    if (begins && at.length > found.depth && at.every((part, depth) => part === path[depth])) {
      found = { line, depth: at.length };
    }
    begins = false;
    if (token === '{' || token === '[') {
      at.push(token === '[' ? 0 : '');
      arrays.push(token === '[');
      awaitsName = token === '{';
      begins = token === '[';
    } else if (token === '}' || token === ']') {
      at.pop();
      arrays.pop();
      awaitsName = false;
    } else if (token === ',' && arrays.at(-1)) {
      at.push((at.pop() as number) + 1);
      begins = true;
    } else if (token === ',') {
      awaitsName = true;
    }
  }
  return found.line;
}
