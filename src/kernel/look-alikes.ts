import { failure } from './failure.ts';

/*
 * Characters that are not seen, or look like others: with them one name or email passes for another (Unicode TS 39). Names in one
 * alphabet stay as they are, whatever the alphabet.
 */

/** Control and format characters, fillers and variation selectors: invisible, or they turn the direction of the text. */
const invisible = /\p{Cc}|\p{Cf}|[\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]/u;
/** Persian and Indian names need a joiner between two letters. */
const joined =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{M}])[\u200c\u200d](?=\p{L})/gu;
const fullWidth = /[\uff01-\uff5e]/u;
const alphabets = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
};
/** Letters of these alphabets that look like Latin ones, in either case. */
const likeLatin =
  /^[\u0410\u0430\u0412\u0432\u0415\u0435\u0405\u0455\u0406\u0456\u0408\u0458\u041a\u043a\u041c\u043c\u041d\u043d\u041e\u043e\u0420\u0440\u0421\u0441\u0422\u0442\u0423\u0443\u0425\u0445\u0501\u04bb\u04cf\u051b\u051d\u0391\u03b1\u0392\u0395\u0396\u0397\u0399\u03b9\u039a\u03ba\u039c\u039d\u03bd\u039f\u03bf\u03a1\u03c1\u03a4\u03c4\u03a5\u03c5\u03a7\u03c7\u054f\u0585\u0531]+$/u;
/** Latin letters that look like others: dotless i, long s, small capitals, letters of phonetic spelling. */
const odd = /[\u0131\u017f\u0138\u0250-\u02af\u1d00-\u1dbf]/u;

/** What is wrong with the characters of a name, after its field's name; null: nothing. */
export function nameProblem(text: string): string | null {
  if (/^[\x20-\x7e]*$/.test(text)) return null;
  const name = text.trim().replace(joined, '');
  const hidden = invisible.exec(name);
  if (hidden !== null) {
    const code = hidden[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `must not have invisible characters: there is one (U+${code}) after "${name.slice(0, hidden.index)}"`;
  }
  if (fullWidth.test(name)) return 'must not have full-width letters: type it with ordinary ones';
  if (/\p{Emoji_Presentation}/u.test(name)) return 'must not have emoji';
  for (const word of name.split(/[^\p{L}\p{M}]+/u)) {
    const [one, other] = Object.entries(alphabets)
      .filter(([, letters]) => letters.test(word))
      .map(([alphabet]) => alphabet);
    if (other !== undefined) {
      return `mixes ${one} and ${other} letters in "${word}", which look alike: type it in one alphabet`;
    }
  }
  return null;
}

/** The same for the name of a business, which also must not look like one in Latin letters. */
function businessNameProblem(text: string): string | null {
  const problem = nameProblem(text);
  if (problem !== null) return problem;
  const letters = text.replace(/[^\p{L}]/gu, '');
  return letters !== '' && likeLatin.test(letters)
    ? 'has only letters that look like Latin ones: type it in Latin letters'
    : null;
}

/** What is wrong with the characters of an email, after its field's name; null: nothing. Accents are allowed. */
export function emailProblem(text: string): string | null {
  if (/^[\x20-\x7e]*$/.test(text)) return null;
  const email = text.trim();
  const problem = nameProblem(email);
  if (problem !== null) return problem;
  const strange = [...email.normalize('NFC')].find(
    (it) => it > '\u007f' && (!/\p{Script=Latin}/u.test(it) || odd.test(it) || it !== it.normalize('NFKC')),
  );
  return strange === undefined ? null : `must be typed in Latin letters: "${strange}" is none`;
}

/** Fails with INVALID_PARAMS, naming the first field of a person whose name or email could pass for another. */
export function refuseLookAlikes(
  person: {
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
    readonly email?: string | null | undefined;
  },
  prefix = '',
): void {
  for (const field of ['firstName', 'lastName', 'email'] as const) {
    const text = person[field];
    const problem = text == null ? null : field === 'email' ? emailProblem(text) : nameProblem(text);
    if (problem !== null) throw failure('INVALID_PARAMS', `${prefix}${field} ${problem}.`);
  }
}

/** The same for the name of an organization or integrator. */
export function refuseLookAlikeName(name: string): void {
  const problem = businessNameProblem(name);
  if (problem !== null) throw failure('INVALID_PARAMS', `name ${problem}.`);
}
