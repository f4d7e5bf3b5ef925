import type { Sharp } from 'sharp';
import { letter, letteringWidth } from './stroke-letters.ts';

/** The content of a sample document. */
export interface SamplePaper {
  readonly type: 'license' | 'recommendation';
  readonly fullName: string;
  /** YYYY-MM-DD. */
  readonly expiresOn: string;
}

export type PaperFormat = 'image/jpeg' | 'image/png' | 'application/pdf';

const width = 640;
const height = 400;

const looks = {
  license: { title: 'IDENTITY CARD', paper: '#e6eef5', band: '#2f5d7c', ink: '#1c2b36' },
  recommendation: { title: 'RECOMMENDATION', paper: '#eef4e6', band: '#4c7a3f', ink: '#25331f' },
} as const;

/** Renders an SVG as a picture. */
type Painter = (svg: Buffer) => Sharp;

/**
 * Loaded only when a demo shop is made: no other start of the service needs it. Null on platforms without a build of
 * it.
 */
export async function loadPainter(): Promise<Painter | null> {
  try {
    return (await import('sharp')).default;
  } catch {
    return null;
  }
}

/** A drawing that cannot be mistaken for a real document: no state, no number, and SAMPLE across it. */
export async function drawSamplePaper(
  paint: Painter,
  paper: SamplePaper,
  format: PaperFormat,
): Promise<Buffer> {
  const picture = paint(Buffer.from(drawPaper(paper)));
  if (format === 'image/png') return picture.png({ palette: true }).toBuffer();
  const jpeg = await picture.jpeg({ quality: 80 }).toBuffer();
  return format === 'image/jpeg' ? jpeg : pdfOfPicture(jpeg);
}

function drawPaper({ type, fullName, expiresOn }: SamplePaper): string {
  const { title, paper, band, ink } = looks[type];
  const sample = 'SAMPLE';
  const sampleSize = 96;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="#b9c0c4"/>
<rect x="20" y="20" width="600" height="360" rx="18" fill="${paper}"/>
<path d="M20 38a18 18 0 0 1 18-18h564a18 18 0 0 1 18 18v52H20z" fill="${band}"/>
${letter(title, { x: 44, y: 42, size: 28, color: '#ffffff' })}
<rect x="44" y="118" width="140" height="176" rx="8" fill="#ffffff"/>
<circle cx="114" cy="182" r="36" fill="${band}" opacity="0.6"/>
<path d="M58 294a56 62 0 0 1 112 0z" fill="${band}" opacity="0.6"/>
${letter(fullName.slice(0, 20), { x: 212, y: 128, size: 20, color: ink })}
${letter('VALID UNTIL', { x: 212, y: 182, size: 13, color: ink })}
${letter(expiresOn, { x: 212, y: 206, size: 20, color: ink })}
${letter('MADE FOR A DEMO', { x: 212, y: 258, size: 13, color: ink })}
${letter('NOT A REAL PAPER', { x: 212, y: 282, size: 13, color: ink })}
<g transform="rotate(-24 ${width / 2} ${height / 2})" opacity="0.55">
${letter(sample, {
  x: (width - letteringWidth(sample, sampleSize)) / 2,
  y: (height - sampleSize) / 2,
  size: sampleSize,
  color: '#b3261e',
  weight: 0.13,
})}
</g>
</svg>`;
}

/** A PDF of one page with the picture on it. */
function pdfOfPicture(jpeg: Buffer): Buffer {
  const draw = `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /Picture 5 0 R >> >> >>`,
    `<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`,
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
      ),
      jpeg,
      Buffer.from('\nendstream'),
    ]),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
