import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { ContentUnit } from '../../engines/goods/content-units.ts';
import { typeNames } from '../../engines/jurisdictions/cannabis-type-names.ts';
import { gapInWords } from '../../engines/jurisdictions/gap.ts';
import type { Jurisdiction, LocalDate, Sourced } from '../../engines/jurisdictions/jurisdiction.ts';
import {
  confidenceOn,
  equivalencesOf,
  isStale,
  oldestReading,
  rulesInForce,
} from '../../engines/jurisdictions/jurisdictions.ts';
import { equivalenceInWords } from '../../engines/jurisdictions/limit-in-words.ts';
import { answerLimits, type LimitAnswer } from './answer-limits.ts';
import type { AskedForm } from './limits-question.ts';
import { capitalized, type Markup, markup } from './markup.ts';

/** The result part of the page: one row for each limit in force, and the gaps. */
export function limitsResult(form: AskedForm, jurisdiction: Jurisdiction): Markup {
  const { audience, day, goods, boughtBefore } = form;
  const { name, gaps } = jurisdiction;
  const rules = rulesInForce(jurisdiction, day, audience);
  const { limits, uncounted, withoutThc, mayBeSold } = answerLimits({
    rules,
    goods,
    boughtBefore,
    today: day,
  });
  const oldest = oldestReading(jurisdiction);
  return markup`<section aria-labelledby="result">
<h2 id="result">What is left</h2>
${limits.length === 0 && markup`<p>No purchase limit of ${name} is known here for this customer on ${day}.</p>`}
${
  limits.length > 0 &&
  verdict(
    goods.length > 0,
    mayBeSold,
    withoutThc.map((type) => typeNames[type]),
  )
}
${limits.length > 0 && narrower(audience, rules)}
${
  limits.length > 0 &&
  uncounted.length > 0 &&
  markup`<p>No limit that is known here counts ${uncounted.map((type) => typeNames[type]).join(', ')}.</p>`
}
${limits.length > 0 && limitTable(limits, day)}
<p class="soft">${
    oldest === null
      ? `No fact about the law of ${name} is known here.`
      : `The oldest fact about the law of ${name} was read on ${oldest}.`
  }
Purchases at other stores count toward most limits, and are not known here.</p>
${
  gaps.length > 0 &&
  markup`<h2>What is not certain, or not shown</h2>
<ul>${gaps.map((gap) => markup`<li>${gapInWords(gap)}</li>`)}</ul>`
}
</section>`;
}

function verdict(hasGoods: boolean, mayBeSold: boolean, withoutThc: readonly string[]): Markup | null {
  if (withoutThc.length > 0) {
    return markup`<p class="verdict bad">A limit counts the THC of ${withoutThc.join(', ')}: type it as well, such as 3.5 g with 20 % THC.</p>`;
  }
  if (!hasGoods) return null;
  return mayBeSold
    ? markup`<p class="verdict good">Within the limits that are known here.</p>`
    : markup`<p class="verdict bad">Over a limit: this cannot be sold.</p>`;
}

function narrower(
  audience: AskedForm['audience'],
  rules: readonly { readonly audience: AskedForm['audience'] }[],
): Markup | null {
  if (rules.some((rule) => rule.audience === audience)) return null;
  const wider = audience === 'medical-under-21' ? 'all medical patients' : 'residents and others';
  return markup`<p>The limits that are known here are the same for ${wider}.</p>`;
}

function limitTable(limits: readonly LimitAnswer[], day: LocalDate): Markup {
  return markup`<table class="limits">
<thead><tr><th scope="col">Limit</th><th scope="col">Used</th><th scope="col">Left</th><th scope="col">Why</th>
<th scope="col">Law</th></tr></thead>
<tbody>${limits.map((limit) => limitRow(limit, day))}</tbody>
</table>`;
}

function limitRow(limit: LimitAnswer, day: LocalDate): Markup {
  const { name, cannabisType, words, used, remaining, unit, exceeded, source } = limit;
  const equivalences = source === null ? [] : equivalencesOf(source);
  return markup`<tr><th scope="row">${name}<p class="soft">${words}</p></th>
<td class="number" data-head="Used">${amountText(used, unit, cannabisType)}</td>
<td class="number" data-head="Left">${
    exceeded
      ? markup`<span class="bad">Over the limit</span>`
      : markup`<strong>${amountText(remaining, unit, cannabisType)}</strong>${roomMarkup(limit)}`
  }</td>
<td data-head="Why">${whyMarkup(limit)}</td>
<td data-head="Law">${source !== null && sourceMarkup(source, day)}
${equivalences.map(
  (it) =>
    markup`<p class="next">${capitalized(equivalenceInWords(it.cannabisType, it))}:</p>${sourceMarkup(it, day)}`,
)}</td></tr>
`;
}

function roomMarkup({ roomFor, unit }: LimitAnswer): Markup | null {
  const [only] = roomFor;
  if (only === undefined || (roomFor.length === 1 && only.unit === unit)) return null;
  const texts = roomFor.map(({ cannabisType, amount, unit: its, isThc }) =>
    goodsText(amount, its, cannabisType, isThc),
  );
  return markup`<p class="soft">enough for ${texts.join(', or ')}</p>`;
}

function whyMarkup({ counted, unit }: LimitAnswer): Markup {
  if (counted.length === 0) return markup`None of this counts toward it.`;
  return markup`${counted.map(({ cannabisType, amount, unit: its, isThc, uses, isFromBefore }) => {
    const goods = goodsText(amount, its, cannabisType, isThc);
    const isInFull = its === unit && uses === amount;
    const verb = its === 'count' && amount !== '1' ? 'count' : 'counts';
    const weighed = isInFull ? `${verb} in full` : `${verb} as ${amountText(uses, unit, cannabisType)}`;
    return markup`<p>${goods}${isFromBefore && ', bought before,'} ${weighed}</p>`;
  })}`;
}

function sourceMarkup(source: Sourced, day: LocalDate): Markup {
  const { citation, link, sourceKind, readOn, textOf, pending } = source;
  const isPublic = link !== null && /^https?:\/\//.test(link);
  const confidence = confidenceOn(source, day) === 'high' ? 'High' : 'Medium';
  const text = textOf === null ? 'without a date' : `of ${textOf}`;
  const read = `${confidence} confidence: ${sourceKind} text ${text}, read on ${readOn}`;
  return markup`${isPublic ? markup`<a href="${link}" rel="noopener noreferrer">${citation}</a>` : citation}
<p class="soft">${read}. ${source.source}</p>
${isStale(source, day) && markup`<p class="bad">Read more than a year ago: compare it with the current law.</p>`}
${pending !== null && markup`<p class="bad">About to change: ${pending}</p>`}`;
}

/** The types counted in pieces, each with its piece. */
const pieces: Readonly<Partial<Record<CannabisType, string>>> = {
  'immature-plant': 'plant',
  seeds: 'seed',
  'other-units': 'unit',
};

function amountText(amount: string, unit: ContentUnit, cannabisType: CannabisType): string {
  if (unit !== 'count') return `${amount} ${unit}`;
  const piece = pieces[cannabisType] ?? 'piece';
  return amount === '1' ? `1 ${piece}` : `${amount} ${piece}s`;
}

function goodsText(amount: string, unit: ContentUnit, cannabisType: CannabisType, isThc: boolean): string {
  const text = amountText(amount, unit, cannabisType);
  if (isThc) return `${text} of THC in ${typeNames[cannabisType]}`;
  return unit === 'count' ? text : `${text} of ${typeNames[cannabisType]}`;
}
