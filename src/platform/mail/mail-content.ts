/** What a mail says. One source for both forms: text for every reader, HTML for those that show it. */
export interface MailContent {
  /** The organization, as its customers know it. */
  readonly from: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A short code to type, shown large. */
  readonly code?: string;
  /** Where to go on: an address of this service. */
  readonly link?: MailLink;
  /** Names with amounts or other short values, such as the lines of a receipt. */
  readonly rows?: readonly MailRow[];
  /** Small print at the end. */
  readonly footnote?: string;
}

interface MailLink {
  readonly label: string;
  readonly url: string;
}

/** `note`: small print below the name. `isStrong`: a total. */
export interface MailRow {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly isStrong?: boolean;
}

/** The plain text of a mail. */
export function mailText({ from, paragraphs, code, link, rows, footnote }: MailContent): string {
  const shownLink = link && `${link.label}:\n${link.url}`;
  const shownRows = rows?.map(({ name, value, note }) => [`${name}: ${value}`, note && `  ${note}`]);
  const parts = [
    ...paragraphs.slice(0, 1),
    code,
    shownLink,
    shownRows
      ?.flat()
      .filter((line) => line !== undefined)
      .join('\n'),
    ...paragraphs.slice(1),
    footnote,
    from,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The same as HTML. It loads no file and no script; its colors are readable on light and on dark ground. */
export function mailHtml(content: MailContent): string {
  const { from, subject, paragraphs, code, link, rows, footnote } = content;
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${escapeHtml(text)}</p>`;
  const shownCode =
    code === undefined
      ? ''
      : `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:6px">${escapeHtml(code)}</p>`;
  const [first = '', ...others] = paragraphs;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;${font}">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 24px;font-size:14px;font-weight:700">${escapeHtml(from)}</p>
${paragraph(first)}
${shownCode}${link === undefined ? '' : linkHtml(link)}${rows === undefined ? '' : rowsHtml(rows)}
${others.map(paragraph).join('\n')}
${footnote === undefined ? '' : `<p style="margin:0;font-size:13px;line-height:1.5">${escapeHtml(footnote)}</p>`}
</div>
</body>
</html>
`;
}

/** The address is shown too: a mail program may not open links, and the reader sees where it leads. */
function linkHtml({ label, url }: MailLink): string {
  const address = escapeHtml(url);
  return `<p style="margin:0 0 16px;font-size:16px;line-height:1.5"><a href="${address}" style="font-weight:700">${escapeHtml(label)}</a><br><span style="font-size:13px;overflow-wrap:anywhere">${address}</span></p>`;
}

function rowsHtml(rows: readonly MailRow[]): string {
  const shown = rows.map(({ name, value, note, isStrong }) => {
    const weight = isStrong ? ';font-weight:700' : '';
    const small = note === undefined ? '' : `<br><span style="font-size:13px">${escapeHtml(note)}</span>`;
    return `<tr><td style="padding:4px 16px 4px 0${weight}">${escapeHtml(name)}${small}</td><td style="padding:4px 0;text-align:right;vertical-align:top;white-space:nowrap${weight}">${escapeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:15px;line-height:1.4">${shown.join('')}</table>`;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
    ...{ '"': '&quot;', "'": '&#39;' },
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
