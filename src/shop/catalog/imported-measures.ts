import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { type ContentUnit, contentUnits } from '../../engines/goods/content-units.ts';
import { amountIn, type Measure, readMeasure } from '../../engines/goods/measured-text.ts';
import { decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { quotedText } from '../../kernel/quoted-text.ts';
import { potencyOf } from './imported-potency.ts';
import { readOtherWords } from './imported-words.ts';

/**
 * Converts sizes with units in imported products ("1/8 oz") to the request's numbers. An ounce is 28.349523125 g, as
 * in purchase limits: a content is never less than its text states. Pure.
 */

/** A content whose unit the category decides. */
export interface StatedContent {
  readonly text: string;
  readonly measure: Measure;
}

const amountDecimalsMax = 6;
/** An option's content has at most 12 digits before the decimal point. */
const contentBelow = decimal('1000000000000');

type Sent = Readonly<Record<string, unknown>>;

/**
 * A body with plain numbers in place of measures, and the interface's words in place of other systems', and the contents whose unit is not known yet, by option index. The
 * body can have any shape: unknown values stay, for the schema to refuse. Fails with INVALID_PARAMS.
 */
export function readStatedMeasures(body: unknown): {
  readonly body: unknown;
  readonly contents: ReadonlyMap<number, StatedContent>;
} {
  const contents = new Map<number, StatedContent>();
  if (!isObject(body)) return { body, contents };
  const read: Record<string, unknown> = { ...readOtherWords(body), ...potencyOf(body) };
  if (Array.isArray(body.options)) {
    read.options = body.options.map((option: unknown, index) => {
      if (!isObject(option)) return option;
      const amount = readAmount(option.amount, read.unit, `options[${index}].amount`);
      const content = statedContent(option.content);
      if (content === null) return { ...option, ...(amount !== null && { amount }) };
      contents.set(index, content);
      // A placeholder: the schema requires a content, and the category decides the real one.
      return { ...option, ...(amount !== null && { amount }), content: '1' };
    });
  }
  return { body: read, contents };
}

function isObject(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null: no conversion. */
function readAmount(sent: unknown, unit: unknown, path: string): number | null {
  const measure = typeof sent === 'string' ? readMeasure(sent) : null;
  if (measure === null) return null;
  if (measure.unit === null) return Number(decimalText(measure.amount));
  // The size of an uncounted option is the content of one item.
  if (unit === 'item' && measure.unit !== 'count' && measure.unit !== '%')
    return measure.pieces?.toNumber() ?? 1;
  const amount = unit === 'item' ? measure.amount : amountIn(measure.amount, measure.unit, 'g');
  if (measure.unit === '%' || amount === null) {
    const expected = unit === 'item' ? 'a number of items' : 'a weight';
    throw failure(
      'INVALID_PARAMS',
      `${path} must be ${expected}, as the product's unit is ${unit}, not ${quotedText(String(sent))}.`,
    );
  }
  return Number(decimalText(roundUp(amount, amountDecimalsMax)));
}

function statedContent(sent: unknown): StatedContent | null {
  const measure = typeof sent === 'string' ? readMeasure(sent) : null;
  if (measure === null || (measure.unit === null && !/[,]|^\./.test(sent as string))) return null;
  return { text: sent as string, measure };
}

const unitNames: Readonly<Record<ContentUnit, string>> = {
  mg: 'a weight that is a decimal number of milligrams',
  g: 'a weight that is a decimal number of grams',
  oz: 'a weight that is a decimal number of ounces',
  'fl oz': 'a volume in fluid ounces',
  count: 'a number of plants',
};

/** A stated content in its category's unit, exactly; null for types without content. Fails with INVALID_PARAMS. */
export function contentIn(stated: StatedContent, cannabisType: CannabisType, path: string): string | null {
  if (cannabisType === 'none') return null;
  const { measure, text } = stated;
  const unit = contentUnits[cannabisType];
  const content = measure.unit === null ? measure.amount : amountIn(measure.amount, measure.unit, unit);
  if (content === null || !content.gt(zero) || !content.lt(contentBelow)) {
    throw failure(
      'INVALID_PARAMS',
      `${path} must be ${unitNames[unit]}, above 0, as the category's cannabisType is ${cannabisType}, ` +
        `not ${quotedText(text)}.`,
    );
  }
  return decimalText(content);
}
