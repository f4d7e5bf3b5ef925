import type { Context, Origin } from '../src/platform/database/context.ts';
import type { SealedFiles } from '../src/platform/storage/sealed-files.ts';
import { reviewDocument, uploadDocument } from '../src/shop/documents/documents.ts';
import { contextAt, staffOriginOf, type TradingShop } from './loaded-shop.ts';
import { drawSamplePaper, loadPainter, type PaperFormat, type SamplePaper } from './sample-papers.ts';

/** A document of a customer; the customer is the n-th of the longest-standing ones. */
interface ScriptedPaper {
  readonly customerAt: number;
  readonly type: SamplePaper['type'];
  readonly format: PaperFormat;
  readonly sentDaysAgo: number;
  /** Days from today, as the document says; negative: past. */
  readonly expiresInDays: number;
  /** Absent: it waits for review. */
  readonly review?: 'approved' | { readonly rejected: string };
}

/** Customers who are patients while their document is valid, by their place; orders rely on the first. */
export const patientPlaces = [1, 2] as const;

const papers: readonly ScriptedPaper[] = [
  paper(0, 'license', 'image/jpeg', 150, 700, 'approved'),
  paper(1, 'license', 'image/png', 118, 420, 'approved'),
  paper(1, 'recommendation', 'application/pdf', 118, 247, 'approved'),
  paper(2, 'recommendation', 'image/jpeg', 330, 24, 'approved'),
  // No longer a patient.
  paper(3, 'recommendation', 'image/jpeg', 385, -20, 'approved'),
  paper(4, 'license', 'image/jpeg', 9, 510, { rejected: 'Too dark: the date cannot be read' }),
  // A second, brighter picture.
  paper(4, 'license', 'image/jpeg', 1, 510),
  paper(5, 'recommendation', 'image/png', 30, -3, { rejected: 'Runs out too soon: please renew it first' }),
  paper(6, 'license', 'image/jpeg', 0, 1200),
  paper(7, 'recommendation', 'application/pdf', 0, 360),
  paper(8, 'license', 'image/png', 2, 64),
];

function paper(
  customerAt: number,
  type: SamplePaper['type'],
  format: PaperFormat,
  sentDaysAgo: number,
  expiresInDays: number,
  review?: ScriptedPaper['review'],
): ScriptedPaper {
  return { customerAt, type, format, sentDaysAgo, expiresInDays, ...(review && { review }) };
}

/**
 * Samples of customers' documents in every state, each sent and reviewed at its own time. Machines that cannot draw
 * them have none.
 */
export async function loadDocuments(
  context: Context,
  files: SealedFiles,
  trading: TradingShop,
): Promise<void> {
  const paint = await loadPainter();
  if (paint === null) return;
  const nowMs = context.clock.now();
  const bySeed: Origin = { actor: 'job:seed', requestId: null };
  const { organization, customers, daysAgo, dayIn } = trading;
  for (const { customerAt, type, format, sentDaysAgo, expiresInDays, review } of papers) {
    const customer = customers[customerAt]!;
    const expiresOn = dayIn(expiresInDays);
    const fullName = `${customer.first_name} ${customer.last_name}`;
    const bytes = await drawSamplePaper(paint, { type, fullName, expiresOn }, format);
    const sentAtMs = Math.min(daysAgo(sentDaysAgo, 10 * 60), nowMs - 15 * 60_000);
    const id = await uploadDocument(contextAt(context, sentAtMs), files, bySeed, organization, customer.id, {
      type,
      base64: bytes.toString('base64'),
      mime: format,
    });
    if (review === undefined) continue;
    await reviewDocument(
      contextAt(context, sentAtMs + 40 * 60_000),
      staffOriginOf(trading, 'manager'),
      organization,
      customer.id,
      id,
      review === 'approved'
        ? { decision: 'approved', expiresOn, reason: null }
        : { decision: 'rejected', expiresOn: null, reason: review.rejected },
    );
  }
}
