import Type from 'typebox';
import { Id, List, Named, Nullable, Text, WholeNumber } from '../../platform/http/schemas.ts';
import { altTextMax, photosMax } from './photo-bounds.ts';

/** Shapes of photos in requests and responses. */

const webAddressPattern = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s\u0000-\u0020\u007f\uD800-\uDFFF]+$`;
const addressMax = 2000;

/** An http or https address; spaces in it are taken as `%20` (D3a). */
export function WebAddress(options: { readonly description?: string } = {}) {
  return Type.String({
    ...options,
    maxLength: addressMax,
    pattern: webAddressPattern,
    'x-reads': 'address',
    'x-expected': 'an http or https address of at most 2,000 characters',
  });
}

const altTextWords =
  'Alternative text: what is to be seen, in words, for people who do not see the picture. Plain text';

/** An alternative text that is sent. */
export function SentAltText(description = altTextWords) {
  return Nullable(Text({ max: altTextMax, description }));
}

/** An alternative text as it is shown. */
export function AltText() {
  return Nullable(Text({ max: altTextMax, description: `${altTextWords}; null: none` }));
}

const PhotoWithText = Named(
  'PhotoWithText',
  Type.Object({
    url: WebAddress({ description: 'Address of the picture' }),
    altText: Type.Optional(
      SentAltText(`${altTextWords}. null or blank: none; absent: the photo keeps the one that it has`),
    ),
  }),
);

/** A photo that is sent: its address, alone or with an alternative text. */
export type SentPhoto = string | { readonly url: string; readonly altText?: string | null | undefined };

// One schema with two types: the validation knows no unions.
const SentPhotoSchema = Type.Unsafe<SentPhoto>({
  type: ['object', 'string'],
  maxLength: addressMax,
  pattern: webAddressPattern,
  'x-reads': 'address',
  'x-expected':
    'an http or https address of at most 2,000 characters, alone or in an object with url and altText',
  properties: PhotoWithText.properties,
  required: ['url'],
  'x-shown-as': { anyOf: [WebAddress({ description: 'Address of the picture' }), PhotoWithText] },
});

/** The photos of a product or an option, in order. */
export function SentPhotos(description: string) {
  return List(SentPhotoSchema, { max: photosMax, description });
}

/** A photo with its sizes, as the menu shows it (D17, D68). */
export const ShownPhoto = Type.Object({
  id: Id(),
  fullPath: Text({ max: addressMax, description: 'Address of the largest size' }),
  altText: AltText(),
  sizes: List(
    Type.Object({
      width: WholeNumber({
        min: 1,
        max: 10_000,
        description: 'In pixels; a smaller picture keeps its own',
      }),
      fullPath: Text({ max: addressMax, description: 'Address of this size' }),
    }),
    { max: 10, description: 'Smallest first; empty until the service has stored the photo' },
  ),
});

/** The photos of an option in every response. */
export const optionPhotos = List(ShownPhoto, {
  max: 100,
  description: "The option's own photos, in order; those of the product are beside the options",
});
