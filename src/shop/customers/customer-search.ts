import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { patientNumberDigests } from './patient-number.ts';

/** The text of a search box, as the lookups that it can mean. */
type CustomerSearch = {
  /** Prefixes of a single name. */
  readonly name: string;
  /** Possible first parts, and at the same index the matching second parts. */
  readonly parts: readonly string[];
  readonly otherParts: readonly string[];
  readonly email: string | null;
  readonly phone: string | null;
  readonly hashId: string | null;
};

/** With the digests of the text as the number of a patient. */
export type SoughtCustomers = CustomerSearch & { readonly patientNumbers: readonly string[] };

/** What a search text of staff can mean. Fails with INVALID_PARAMS when it is too short. */
export async function seekCustomers(
  context: Pick<Context, 'sealing'>,
  organization: OrganizationId,
  text: string,
): Promise<SoughtCustomers> {
  return { ...readSearch(text), patientNumbers: await patientNumberDigests(context, organization, text) };
}

const charactersMin = 2;
/** More words than names have. */
const wordsMax = 8;

/** Parses the search text. Fails with INVALID_PARAMS when it is too short. */
export function readSearch(text: string): CustomerSearch {
  const typed = text.trim();
  if ([...typed].length < charactersMin) {
    throw failure('INVALID_PARAMS', `search must have at least ${charactersMin} characters besides spaces.`);
  }
  const words = typed
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
  const splits = words.slice(1).map((_, at) => [words.slice(0, at + 1), words.slice(at + 1)] as const);
  const isOneWord = words.length === 1;
  return {
    name: words.join(' '),
    parts: splits.map(([part]) => part.join(' ')),
    otherParts: splits.map(([, otherPart]) => otherPart.join(' ')),
    email: isOneWord ? typed.toLowerCase() : null,
    phone: phonePrefix(typed),
    hashId: isOneWord ? typed.toUpperCase() : null,
  };
}

/** The prefix of a number in E.164, US without country code; null if it is not a number. */
function phonePrefix(typed: string): string | null {
  const digits = typed.replace(/\D/g, '');
  if (digits.length < 3 || !/^[+\d\s().-]+$/.test(typed)) return null;
  return typed.startsWith('+') ? `+${digits}` : `+1${digits.replace(/^1/, '')}`;
}
