import JsBarcode from 'jsbarcode';

/** The library writes the bars into an object as well: a text of 0 and 1, one for each module. */
interface Encoded {
  readonly encodings?: readonly { readonly data: string }[];
}

const height = 48;
/** Readers need ten modules of white on both sides. */
const quiet = 10;

/** A text as a barcode (Code 128), black on white in both themes. */
export function Barcode({ text, label }: { text: string; label: string }) {
  const encoded: Encoded = {};
  JsBarcode(encoded, text, { format: 'CODE128' });
  const modules = (encoded.encodings ?? []).map(({ data }) => data).join('');
  const bars = [...modules.matchAll(/1+/g)].map(
    ({ index, 0: bar }) => `M${index + quiet} 0h${bar.length}v${height}h-${bar.length}z`,
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length + 2 * quiet} ${height}`}
      width={2 * (modules.length + 2 * quiet)}
      height={height}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      style={{ display: 'block', maxWidth: '100%', margin: '16px auto 0', background: 'white' }}
    >
      <path d={bars.join('')} fill="black" />
    </svg>
  );
}
