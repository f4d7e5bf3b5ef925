import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazily } from '../../kernel/lazily.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';

/** The script of the menu that any page embeds (`sdk/embed`), for pages of every origin. */
export function embeddedMenu(): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  const script = lazily(() => readFileSync(join(projectFolder(), 'sdk', 'embed', 'menu.js')));
  return {
    '/embed/menu.js': async (requestContext) => {
      const headers = {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        'cross-origin-resource-policy': 'cross-origin',
      };
      requestContext.sendFile({ bytes: script(), headers });
    },
  };
}
