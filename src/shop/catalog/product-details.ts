import { canonicalDecimalText, decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { nameText } from '../../kernel/name-text.ts';
import { whyUnreachable } from '../../platform/http/public-address.ts';
import type { LabResult, ProductRow, Terpene } from './catalog-queries.ts';
import { refuseNoCode } from './product-codes.ts';
import { blankToNull, readName } from './product-content.ts';
import type { CreateProductRequest } from './product-schemas.ts';

/** What describes a product beyond its potency (D71): strain, SKU, terpenes, effects, flavours, lab results. Pure. */
export interface ProductDetails {
  readonly strain: string | null;
  readonly sku: string | null;
  readonly terpenes: readonly Terpene[];
  readonly effects: readonly string[];
  readonly flavours: readonly string[];
  readonly labResults: readonly LabResult[];
}

type SentDetails = Pick<
  CreateProductRequest,
  'strain' | 'sku' | 'terpenes' | 'effects' | 'flavours' | 'labResults'
>;

const noDetails: ProductDetails = {
  strain: null,
  sku: null,
  terpenes: [],
  effects: [],
  flavours: [],
  labResults: [],
};

/**
 * The details of a request; an absent one is that of `current`, of which a new product has none. Fails with
 * INVALID_PARAMS when the SKU is no code, a name is blank or listed twice, a percentage exceeds 100, or an address is none.
 */
export function readDetails(sent: SentDetails, current: ProductDetails = noDetails): ProductDetails {
  const sku = sent.sku === undefined ? current.sku : nameOrNull(sent.sku);
  if (sku !== current.sku) refuseNoCode(sku, 'sku');
  return {
    strain: sent.strain === undefined ? current.strain : nameOrNull(sent.strain),
    sku,
    terpenes:
      sent.terpenes?.map(readTerpene).filter(isFirst('terpenes', ({ name }) => name)) ?? current.terpenes,
    effects: readWords(sent.effects, 'effects') ?? current.effects,
    flavours: readWords(sent.flavours, 'flavours') ?? current.flavours,
    labResults: sent.labResults?.map(readLabResult) ?? current.labResults,
  };
}

/** The details of a stored product. */
export function detailsOf(row: ProductRow): ProductDetails {
  const { strain, sku, terpenes, effects, flavours, lab_results: labResults } = row;
  return { strain, sku, terpenes, effects, flavours, labResults };
}

/** The details as columns. */
export function detailColumns({ terpenes, labResults, ...details }: ProductDetails) {
  return { ...details, terpenes: JSON.stringify(terpenes), labResults: JSON.stringify(labResults) };
}

function nameOrNull(text: string | null): string | null {
  return blankToNull(text === null ? null : nameText(text));
}

function readWords(words: readonly string[] | undefined, path: string): readonly string[] | undefined {
  return words
    ?.map((word, index) => readName(word, `${path}[${index}]`))
    .filter(isFirst(path, (word) => word));
}

/** Refuses a name that is listed twice, in any case. */
function isFirst<Entry>(path: string, nameOf: (entry: Entry) => string) {
  const seen = new Set<string>();
  return (entry: Entry, index: number): boolean => {
    const key = nameOf(entry).toLowerCase();
    if (seen.has(key)) throw failure('INVALID_PARAMS', `${path}[${index}] must be listed once.`);
    seen.add(key);
    return true;
  };
}

function readTerpene(
  { name, percent = null }: NonNullable<SentDetails['terpenes']>[number],
  index: number,
): Terpene {
  if (percent !== null && decimal(percent).gt(100)) {
    throw failure('INVALID_PARAMS', `terpenes[${index}].percent must be at most 100.`);
  }
  return {
    name: readName(name, `terpenes[${index}].name`),
    percent: percent === null ? null : canonicalDecimalText(percent),
  };
}

function readLabResult(
  { lab, date = null, certificateUrl = null }: NonNullable<SentDetails['labResults']>[number],
  index: number,
): LabResult {
  const why = certificateUrl === null ? null : whyUnreachable(certificateUrl, { isForPeople: true });
  if (why !== null) throw failure('INVALID_PARAMS', `labResults[${index}].certificateUrl ${why}`);
  return { lab: readName(lab, `labResults[${index}].lab`), date, certificateUrl };
}
