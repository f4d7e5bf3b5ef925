const pathLengthMax = 200;

/** Generated ids and labels; any other text in a path may be a name or an address. */
const sanePart = /^[A-Za-z0-9_-]{1,64}$/;

/** The path without query; parameters that are not ids are replaced with their names. */
export function loggedPath(url: string, template: string): string {
  const [path = ''] = url.split('?', 1);
  const sent = path.split('/');
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') && sanePart.test(sent[index] ?? '') ? sent[index] : part))
    .join('/')
    .slice(0, pathLengthMax);
}
