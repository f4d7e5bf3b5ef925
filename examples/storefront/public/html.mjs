/* Templates that cannot forget to escape: a value in html`…` becomes text, unless it is a template itself. */

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => escapes[sign]);

class Markup {
  constructor(text) {
    this.text = text;
  }
}

function textOf(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === null || value === undefined || value === false ? '' : escaped(String(value));
}

/** A piece of a page. Lists are joined; null, undefined and false are nothing. */
export function html(strings, ...values) {
  return new Markup(strings.reduce((text, next, index) => text + textOf(values[index - 1]) + next));
}

// Browsers with Trusted Types take HTML from this policy only, so no other place can write any.
const policy = globalThis.trustedTypes?.createPolicy('storefront', { createHTML: (text) => text });

/** Replaces what an element shows. The focus stays where it was, if the new content has an element with that id. */
export function show(element, markup) {
  const { activeElement } = document;
  const focused = element.contains(activeElement) ? activeElement.id : '';
  element.innerHTML = policy ? policy.createHTML(markup.text) : markup.text;
  if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true });
}

/** The little Markdown that descriptions use: paragraphs, **strong** and *emphasis*. */
export function prose(markdown) {
  return markdown
    .split(/\n{2,}/)
    .map((paragraph) => escaped(paragraph.trim()))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) =>
      paragraph
        .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
        .replace(/[*_]([^*_]+)[*_]/g, '<em>$1</em>'),
    )
    .map((paragraph) => new Markup(`<p>${paragraph}</p>`));
}
