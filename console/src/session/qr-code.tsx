import { encode } from 'uqr';

const quietModules = 4;

/** A QR code, dark on white in both themes: cameras do not read it the other way round. */
export function QrCode({ text, label, size: side = 208 }: { text: string; label: string; size?: number }) {
  const { data, size } = encode(text, { border: quietModules });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={side}
      height={side}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
