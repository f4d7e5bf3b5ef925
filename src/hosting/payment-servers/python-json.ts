/** JSON in the default layout of Python: a blank after comma and colon, and, if asked for, everything beyond ASCII escaped. */
export function pythonJson(value: unknown, escapes: boolean): string {
  if (Array.isArray(value)) return `[${value.map((it) => pythonJson(it, escapes)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${pythonJson(name, escapes)}: ${pythonJson(member, escapes)}`,
    );
    return `{${members.join(', ')}}`;
  }
  const text = JSON.stringify(value);
  return typeof value === 'string' && escapes ? escaped(text) : text;
}

function escaped(json: string): string {
  return json.replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
