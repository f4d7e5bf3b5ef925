/** What a mail says. One source for both forms: text for every reader, HTML for those that show it. */
export interface MailContent {
  /** The organization, as its customers know it. */
  readonly from: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A short code to type, shown large. */
  readonly code?: string;
  /** Small print at the end. */
  readonly footnote?: string;
}

/** The plain text of a mail. */
export function mailText({ from, paragraphs, code, footnote }: MailContent): string {
  const parts = [...paragraphs.slice(0, 1), code, ...paragraphs.slice(1), footnote, from];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The same as HTML. It loads no file and no script; its colours are readable on light and on dark ground. */
export function mailHtml(content: MailContent): string {
  const { from, subject, paragraphs, code, footnote } = content;
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
${shownCode}
${others.map(paragraph).join('\n')}
${footnote === undefined ? '' : `<p style="margin:0;font-size:13px;line-height:1.5">${escapeHtml(footnote)}</p>`}
</div>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
    ...{ '"': '&quot;', "'": '&#39;' },
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
