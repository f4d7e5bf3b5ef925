/** JSON in the default layout of Python: a blank after comma and colon, and everything beyond ASCII escaped. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${escaped(name)}: ${pythonJson(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? escaped(value) : JSON.stringify(value);
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
