/** What an audit of a page for search engines and accessibility counts as a fault, by its rules for the document. */
export function pageFaults(page: string): string[] {
  const one = (pattern: RegExp) => [...page.matchAll(pattern)].length === 1;
  const lengthOf = (pattern: RegExp) => pattern.exec(page)?.[1]?.length ?? 0;
  const rules: Readonly<Record<string, boolean>> = {
    'html has a language': /<html lang="en">/.test(page),
    'one title of 1 to 70 characters': one(/<title>/g) && lengthOf(/<title>([^<]*)</) <= 70,
    'a description of 20 to 320 characters': lengthOf(/name="description" content="([^"]*)"/) >= 20,
    'one h1': one(/<h1/g),
    'a viewport that may be enlarged': /name="viewport" content="width=device-width, initial-scale=1"/.test(
      page,
    ),
    'one canonical address': one(/rel="canonical"/g),
    'Open Graph': ['og:title', 'og:description', 'og:type', 'og:url'].every((it) =>
      page.includes(`property="${it}"`),
    ),
    'links have words': !/<a [^>]*>\s*<\/a>/.test(page),
    'links can be followed': !/href="(#|javascript:)"/.test(page),
    'no text is kept from robots': !page.includes('noindex'),
    'structured data': page.includes('application/ld+json'),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}
