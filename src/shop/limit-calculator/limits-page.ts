import { typeNames } from '../../engines/jurisdictions/cannabis-type-names.ts';
import type { Audience, Jurisdiction, LocalDate } from '../../engines/jurisdictions/jurisdiction.ts';
import { type DocsPlace, docsBar, docsStylePath } from '../../platform/http/docs-frame.ts';
import { pageHeaders } from '../../platform/http/page-headers.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { type LimitedType, limitedTypes } from './answer-limits.ts';
import { type AskedForm, amountField, audiences, beforeField, readLimitsForm } from './limits-question.ts';
import { limitsResult } from './limits-result.ts';
import { limitsStyle } from './limits-style.ts';
import { capitalized, Markup, markup } from './markup.ts';
import { typedAmountLengthMax, typedExamples } from './typed-amount.ts';

const path = '/docs/limits';
const stylePath = `${path}.css`;

/** No script, and no style except the stylesheet. */
const policy = ["default-src 'none'", "style-src 'self'", "form-action 'self'"];

interface LimitsPageFacts {
  /** What the bar on top leads to. */
  readonly places: readonly DocsPlace[];
  /** Every state with facts, by name. */
  readonly known: () => readonly Jurisdiction[];
  /** The default day of the form. */
  readonly today: () => LocalDate;
}

/**
 * The public page on purchase limits, by path: it takes state, customer and goods, and shows what is left of each
 * limit. It is HTML without scripts; it shows legal facts only, and no data of organizations.
 */
export function limitsPages(
  facts: LimitsPageFacts,
): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  return {
    [path]: async (requestContext) => {
      const [, query = ''] = requestContext.request.url!.split('?', 2);
      const known = facts.known();
      const form = readLimitsForm(new URLSearchParams(query), known, facts.today());
      const isGood = form.problems.size === 0;
      const headers = pageHeaders({
        policy,
        cacheControl: isGood ? 'public, max-age=300' : 'no-store',
        referrerPolicy: 'no-referrer',
      });
      requestContext.sendFile(
        { bytes: Buffer.from(limitsPage(form, known, docsBar(facts.places, path))), headers },
        isGood ? 200 : 400,
      );
    },
    [stylePath]: async (requestContext) => {
      const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' };
      requestContext.sendFile({ bytes: Buffer.from(limitsStyle), headers });
    },
  };
}

function limitsPage(form: AskedForm, known: readonly Jurisdiction[], bar: string): string {
  const hasProblems = form.problems.size > 0;
  const title = form.jurisdiction === null ? 'Purchase limits' : `Purchase limits: ${form.jurisdiction.name}`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${hasProblems ? `Error: ${title}` : title}</title>
<link rel="stylesheet" href="${docsStylePath}">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
${new Markup(bar)}
<main>
<h1>Purchase limits</h1>
<p>How much cannabis may a customer still buy, and why? Choose a state and a customer, and type the goods.</p>
<p><strong>Not legal advice.</strong> Compare each limit with its source before you rely on it.</p>
${hasProblems && markup`<p class="error" role="alert">Some fields cannot be read. Each shows what it expects.</p>`}
${formMarkup(form, known)}
${!hasProblems && form.jurisdiction !== null && limitsResult(form, form.jurisdiction)}
</main>
</body>
</html>
`.text;
}

const audienceNames: Readonly<Record<Audience, string>> = {
  'adult-use': 'Adult use',
  'adult-use-non-resident': 'Adult use, not a resident of the state',
  medical: 'Medical patient',
  'medical-under-21': 'Medical patient under 21',
};

function formMarkup(form: AskedForm, known: readonly Jurisdiction[]): Markup {
  return markup`<form method="get" action="${path}">
<div class="choices">
<div><label for="state">State</label>
<select id="state" name="state" required${fault(form, 'state')}>
<option value="">Choose a state</option>
${known.map(({ state, name }) => option(state, name, form.jurisdiction?.state === state))}
</select>${faultText(form, 'state')}</div>
<div><label for="customer">Customer</label>
<select id="customer" name="customer"${fault(form, 'customer')}>
${audiences.map((audience) => option(audience, audienceNames[audience], form.audience === audience))}
</select>${faultText(form, 'customer')}</div>
<div><label for="day">Day</label>
<input id="day" name="day" type="date" value="${form.problems.has('day') ? '' : form.day}"${fault(form, 'day')}>
${faultText(form, 'day')}</div>
</div>
<table>
<caption>Goods. Where a limit counts THC, type it as well: 3.5 g with 20 % THC, or 1 g with 800 mg THC</caption>
<thead><tr><th scope="col">Form of cannabis</th><th scope="col">Wants to buy</th>
<th scope="col">Bought before, in the limit's window</th></tr></thead>
<tbody>${limitedTypes.map((type) => goodsRow(form, type))}</tbody>
</table>
<button type="submit">Show what is left</button>
</form>`;
}

function option(value: string, name: string, isChosen: boolean): Markup {
  return markup`<option value="${value}"${isChosen && markup` selected`}>${name}</option>`;
}

function goodsRow(form: AskedForm, type: LimitedType): Markup {
  const cell = (field: string, head: string) => markup`<td data-head="${head}">
<input name="${field}" value="${form.typed.get(field) ?? ''}" maxlength="${typedAmountLengthMax}" autocomplete="off"
 aria-label="${capitalized(typeNames[type])}: ${head.toLowerCase()}"${fault(form, field)}>${faultText(form, field)}</td>`;
  return markup`<tr><th scope="row">${capitalized(typeNames[type])}<p class="soft">${typeHints[type]}
such as ${typedExamples[type]}</p></th>
${cell(amountField(type), 'Wants to buy')}${cell(beforeField(type), 'Bought before')}</tr>
`;
}

const typeHints: Readonly<Record<LimitedType, string>> = {
  'non-concentrated': 'Weight,',
  concentrated: 'Weight,',
  'mi-infused-solids': 'Weight of the product,',
  'mi-infused-fluids': 'Volume of the product,',
  edibles: 'THC,',
  'immature-plant': 'Number,',
  seeds: 'Number,',
  inhalables: 'Weight, or THC where the state counts it,',
  'low-dose-drinks': 'THC,',
  'other-units': 'Number,',
};

function fault({ problems }: AskedForm, field: string): Markup | null {
  return problems.has(field) ? markup` aria-invalid="true" aria-describedby="${field}-problem"` : null;
}

function faultText({ problems }: AskedForm, field: string): Markup | null {
  const problem = problems.get(field);
  return problem === undefined ? null : markup`<p class="error" id="${field}-problem">${problem}</p>`;
}
