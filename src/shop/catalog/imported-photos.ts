import { failure } from '../../kernel/failure.ts';
import { altTextMax } from './photo-bounds.ts';

/** Photos of a file, whose alternative texts may stand in lists of their own beside them. Pure. */

type Values = Readonly<Record<string, unknown>>;

/**
 * The body with the texts of `photoAltTexts` joined to the photos of the same place, for the product and each option. A
 * blank text says nothing. Fails with INVALID_PARAMS when there are more texts than photos, or one is no text.
 */
export function withAltTexts(sent: unknown): unknown {
  if (!isValues(sent)) return sent;
  const body = joined(sent, '');
  if (!Array.isArray(body.options)) return body;
  return {
    ...body,
    options: body.options.map((option: unknown, index) =>
      isValues(option) ? joined(option, `options[${index}].`) : option,
    ),
  };
}

function joined(values: Values, prefix: string): Values {
  const { photoAltTexts: texts, ...others } = values;
  if (texts === undefined || texts === null) return others;
  const path = `${prefix}photoAltTexts`;
  const photos = Array.isArray(others.photos) ? (others.photos as readonly unknown[]) : [];
  if (!Array.isArray(texts)) throw failure('INVALID_PARAMS', `${path} must be a list of texts.`);
  if (texts.length > photos.length) {
    throw failure(
      'INVALID_PARAMS',
      `${path} must have a text, or a blank, for each photo in their order: there are ${photos.length}.`,
    );
  }
  const described = photos.map((url, index) => {
    const text: unknown = texts[index] ?? '';
    if (typeof text !== 'string' || [...text].length > altTextMax) {
      throw failure('INVALID_PARAMS', `${path}[${index}] must be text of at most ${altTextMax} characters.`);
    }
    return typeof url === 'string' && text.trim() !== '' ? { url, altText: text } : url;
  });
  return { ...others, photos: described };
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
