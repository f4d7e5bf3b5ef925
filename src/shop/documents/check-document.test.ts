import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../kernel/failure.ts';
import { checkDocument, checkLength, decodeBase64, readMime, shownBytes } from './check-document.ts';
import { type DocumentMime, documentBytesMax, documentMimes } from './document-types.ts';
import {
  box,
  emptyZip,
  heic,
  jpeg,
  jpegSegment,
  pdf,
  place,
  png,
  pngChunk,
  sampleFiles,
  tiff,
  webp,
} from './sample-files.test-support.ts';

/** Code and message of the refusal; undefined if accepted. */
function refusalOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const refused = (bytes: Buffer, mime: DocumentMime) => refusalOf(() => checkDocument(bytes, mime));
const behind = /^INVALID_DOCUMENT: documentBase64 (?:contains other data after|is also a [\w ]+)/;

describe.each(documentMimes)('%s', (mime) => {
  const file = sampleFiles[mime]!();

  test('is accepted when complete, and refused when cut off at any byte', () => {
    expect(refused(file, mime)).toBeUndefined();
    for (let length = 0; length < file.length; length++) {
      // The last line break of a PDF can be missing.
      if (mime === 'application/pdf' && length === file.length - 1) continue;
      // A HEIF whose boxes are complete, including the picture, is a valid file.
      if (file.subarray(length).toString('latin1', 4, 8) === 'moov') continue;
      const words = refused(file.subarray(0, length), mime);
      expect([length, words]).toEqual([length, expect.stringMatching(/^INVALID_DOCUMENT: documentBase64 /)]);
    }
  });

  test('is not accepted as another type', () => {
    for (const other of documentMimes) {
      if (other === mime || (/hei[cf]/.test(other) && /hei[cf]/.test(mime))) continue;
      expect(refused(file, other)).toMatch(
        /^INVALID_DOCUMENT: documentBase64 is not of the type in documentMime: \S+ is expected, but it begins like a \w+\.$/,
      );
    }
    expect(refused(Buffer.from('<html></html>'), mime)).toMatch(/it begins like none of the accepted types/);
  });

  test('is refused with another file appended', () => {
    for (const more of [pdf(), emptyZip, Buffer.from('<script>alert(1)</script>')]) {
      const isPdfBehindPdf = mime === 'application/pdf' && more.includes('%PDF-');
      // Two PDFs in a row are one valid PDF, whose first half is unused.
      if (!isPdfBehindPdf) expect(refused(Buffer.concat([file, more]), mime)).toMatch(/^INVALID_DOCUMENT/);
    }
  });

  test('is shown without its location, and the shown file is again a complete file of its type', () => {
    const shown = shownBytes(file, mime);
    expect(shown.includes(place)).toBe(false);
    expect(refused(shown, mime)).toBeUndefined();
    expect(shownBytes(shown, mime)).toEqual(shown);
  });

  test('with any byte changed is refused or shown, without a server error', () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const copy = Buffer.from(file);
        copy[at] = value;
        if (refused(copy, mime) === undefined) shownBytes(copy, mime);
      }),
      { numRuns: 500 },
    );
  });
});

test('the metadata that a picture needs for display is kept: orientation and colors', () => {
  const colors = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0colors'));
  const shownJpeg = shownBytes(jpeg(colors), 'image/jpeg');
  const upright = tiff.subarray(0, 22);
  for (const kept of [colors, upright, Buffer.from('coded')]) expect(shownJpeg.includes(kept)).toBe(true);
  const shownPng = shownBytes(png(pngChunk('iCCP', Buffer.from('colors'))), 'image/png');
  for (const kept of ['colors', 'eXIf', 'pixels']) expect(shownPng.includes(kept)).toBe(true);
  expect(shownPng.includes(upright)).toBe(true);
  const shownWebp = shownBytes(webp(), 'image/webp');
  expect([shownWebp.includes(upright), shownWebp[20]]).toEqual([true, 0x08]);
  expect(shownBytes(heic(), 'image/heic').includes('picture')).toBe(true);
});

test('after a JPEG, camera data is accepted and not shown; all other data is refused', () => {
  const furtherPictures = jpegSegment(0xe2, Buffer.from('MPF\0'));
  const fine = [
    Buffer.concat([jpeg(), Buffer.from('\r\n\0\0')]),
    Buffer.concat([jpeg(furtherPictures), jpeg()]),
    Buffer.concat([jpeg(), Buffer.from('SEFH of a camera SEFT')]),
  ];
  for (const bytes of fine) {
    expect(refused(bytes, 'image/jpeg')).toBeUndefined();
    expect(shownBytes(bytes, 'image/jpeg').at(-1)).toBe(0xd9);
  }
  for (const bytes of [
    Buffer.concat([jpeg(), jpeg()]),
    Buffer.concat([jpeg(), Buffer.from('MZ program')]),
    Buffer.concat([jpeg(), Buffer.alloc(2000), pdf(), Buffer.from('SEFT')]),
    Buffer.concat([jpeg(), Buffer.from('<html>SEFT')]),
    Buffer.concat([jpeg(furtherPictures), pdf()]),
    jpeg(jpegSegment(0xfe, pdf())),
  ]) {
    expect(refused(bytes, 'image/jpeg')).toMatch(behind);
  }
});

test('padding after a picture is accepted, and not shown', () => {
  for (const mime of ['image/jpeg', 'image/png', 'image/webp'] as const) {
    const file = sampleFiles[mime]!();
    const padded = Buffer.concat([file, Buffer.alloc(100)]);
    expect(refused(padded, mime)).toBeUndefined();
    expect(shownBytes(padded, mime)).toEqual(shownBytes(file, mime));
  }
});

test('damage is detected by every available check', () => {
  const changed = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = copy[at]! ^ 1;
    return copy;
  };
  const whole = png();
  expect(refused(changed(whole, whole.indexOf('pixels')), 'image/png')).toMatch(/a checksum is wrong/);
  const beyond = Buffer.from(pdf().toString('latin1').replace('startxref\n40', 'startxref\n99999'), 'latin1');
  expect(refused(beyond, 'application/pdf')).toMatch(/cross-reference table is beyond its end/);
  const film = Buffer.concat([box('ftyp', Buffer.from('hevc'), Buffer.alloc(4), Buffer.from('msf1'))]);
  expect(refused(film, 'image/heic')).toMatch(/it begins like none/);
});

test('Base64 uses the standard alphabet, with or without padding, and no other characters', () => {
  const bytes = Buffer.from([251, 239, 190, 1]);
  expect(decodeBase64(bytes.toString('base64'))).toEqual(bytes);
  expect(decodeBase64(bytes.toString('base64').replace(/=+$/, ''))).toEqual(bytes);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /is empty/],
    ['data:image/png;base64,iVBORw0K', /without the prefix of a data URL/],
    ['DATA:image/png;base64,iVBORw0K', /without the prefix of a data URL/],
    ['--__', /standard Base64/],
    [' iVBORw0K', /standard Base64/],
    ['iVBOR', /standard Base64/],
    ['iVBORw=', /standard Base64/],
    ['iVBORw====', /standard Base64/],
    ['====', /standard Base64/],
    ['iVBO=Rw0', /standard Base64/],
    ['iVBOé', /standard Base64/],
  ];
  for (const [text, words] of wrong) {
    expect([text, refusalOf(() => decodeBase64(text))]).toEqual([text, expect.stringMatching(words)]);
  }
});

test('a document has at most 2,621,440 bytes, counted without decoding; media types ignore case', () => {
  const text = (bytes: number) => Buffer.alloc(bytes).toString('base64');
  for (const form of [(it: string) => it, (it: string) => it.replace(/=+$/, '')]) {
    expect(refusalOf(() => checkLength(form(text(documentBytesMax))))).toBeUndefined();
    expect(refusalOf(() => checkLength(form(text(documentBytesMax + 1))))).toBe(
      'DOCUMENT_TOO_LARGE: documentBase64 must not hold more than 2,621,440 bytes.',
    );
  }
  expect(readMime('Image/PNG')).toBe('image/png');
  for (const mime of ['', 'image/gif', 'image/svg+xml', 'text/html', 'image/png; a=b']) {
    expect(refusalOf(() => readMime(mime))).toMatch(
      /^UNSUPPORTED_DOCUMENT_TYPE: documentMime must be one of/,
    );
  }
});

/** The size in the header is another one than that of the pixels. */
const claiming: Readonly<Record<string, (width: number, height: number) => Buffer>> = {
  'image/png': (width, height) => {
    const header = Buffer.from('\x08\x02\0\0\0', 'latin1');
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32BE(width, 0);
    sizes.writeUInt32BE(height, 4);
    return Buffer.concat([
      png().subarray(0, 8),
      pngChunk('IHDR', Buffer.concat([sizes, header])),
      ...[pngChunk('IDAT', Buffer.from('pixels')), pngChunk('IEND', Buffer.alloc(0))],
    ]);
  },
  'image/jpeg': (width, height) => {
    const bytes = Buffer.from(jpeg());
    const at = bytes.indexOf('\xff\xc0', 0, 'latin1');
    bytes.writeUInt16BE(height, at + 5);
    bytes.writeUInt16BE(width, at + 7);
    return bytes;
  },
  'image/webp': (width, height) => {
    const bytes = Buffer.from(webp());
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
    return bytes;
  },
  'image/heic': (width, height) => {
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32BE(width, 4);
    sizes.writeUInt32BE(height, 8);
    return heic('heic', box('iprp', box('ipco', box('ispe', sizes))));
  },
};

test.each(Object.keys(claiming))(
  '%s: a picture that would take gigabytes to show is refused by its header',
  (mime) => {
    const make = claiming[mime]!;
    expect(refused(make(8_000, 8_000), mime as DocumentMime)).toBeUndefined();
    const message =
      'INVALID_DOCUMENT: documentBase64 is too large a picture: it has 60,000 × 60,000 pixels; the maximum is 64,000,000 in all.';
    expect(refused(make(60_000, 60_000), mime as DocumentMime)).toBe(message);
    expect(refused(make(60_000, 1_067), mime as DocumentMime)).toMatch(/is too large a picture/);
  },
);

/** As many parts as a file may have, each as small as its format allows. */
const crowded: Readonly<Record<string, () => Buffer>> = {
  'image/png': () => {
    const chunk = pngChunk('teXt', Buffer.alloc(0));
    return png(Buffer.alloc(documentBytesMax - 1000, chunk).subarray(0, chunk.length * 200_000));
  },
  'image/jpeg': () => jpeg(Buffer.alloc(2_600_000, jpegSegment(0xe1, Buffer.alloc(0)))),
  'image/webp': () => {
    const many = Buffer.alloc(2_600_000, Buffer.from('XMP \0\0\0\0', 'latin1'));
    const bytes = Buffer.concat([webp(), many]);
    bytes.writeUInt32LE(bytes.length - 8, 4);
    return bytes;
  },
  'image/heic': () => Buffer.concat([heic(), Buffer.alloc(2_600_000, box('free'))]),
  'application/pdf': () =>
    Buffer.concat([
      Buffer.from(`%PDF-1.7\n${'<<'.repeat(600_000)}${'['.repeat(600_000)}`, 'latin1'),
      pdf().subarray(9),
    ]),
};

test.each(Object.keys(crowded))('%s: a file of as many parts as fit is answered at once', (mime) => {
  const bytes = crowded[mime]!();
  expect(bytes.length).toBeLessThanOrEqual(documentBytesMax);
  const before = process.cpuUsage();
  const isPdf = mime === 'application/pdf';
  expect(refused(bytes, mime as DocumentMime)).toBe(
    isPdf
      ? undefined
      : 'INVALID_DOCUMENT: documentBase64 has more than 10,000 parts, which no picture needs.',
  );
  if (isPdf) shownBytes(bytes, mime as DocumentMime);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(500);
});

test('image/heic: rows of metadata over the same bytes are damage, and no endless work', () => {
  const located = Buffer.alloc(1_000_000);
  // Item 2, in the file; each row of one byte: the length 0 is the rest of the file.
  for (let at = 0; at < 15; at++) {
    located.writeUInt16BE(2, at * 65_544);
    located.writeUInt16BE(65_535, at * 65_544 + 6);
  }
  const iloc = box('iloc', Buffer.from([1, 0, 0, 0, 0x01, 0, 0, 15]), located);
  const whole = heic();
  const at = whole.indexOf('iloc', 0, 'latin1') - 4;
  const former = whole.readUInt32BE(at);
  const bytes = Buffer.concat([whole.subarray(0, at), iloc, whole.subarray(at + former)]);
  const metaAt = bytes.indexOf('meta', 0, 'latin1') - 4;
  bytes.writeUInt32BE(bytes.readUInt32BE(metaAt) + iloc.length - former, metaAt);
  expect(refused(bytes, 'image/heic')).toBe('INVALID_DOCUMENT: documentBase64 is a damaged HEIF.');
});
