import { operationsOf, sampleRequest } from './code-samples.ts';

interface CollectedDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** The operations as a Postman collection of the format 2.1: a folder for each tag, keys and address as variables. */
export function postmanCollection(document: CollectedDocument): object {
  const folders = new Map<string, object[]>();
  for (const { method, path, operation } of operationsOf(document)) {
    const { tags, summary, description } = operation as unknown as {
      readonly tags: readonly string[];
      readonly summary: string;
      readonly description: string;
    };
    const request = sampleRequest(document, { method, path }, operation, { minimal: false });
    const query = Object.entries(request.query).map(([key, value]) => ({ key, value: String(value) }));
    const folder = folders.get(tags[0]!) ?? [];
    folders.set(tags[0]!, folder);
    folder.push({
      name: summary,
      request: {
        method: request.method,
        description,
        url: {
          raw: `{{baseUrl}}${request.path}`,
          host: ['{{baseUrl}}'],
          path: request.path.slice(1).split('/'),
          ...(query.length > 0 && { query }),
        },
        header: request.fileType === null ? [] : [{ key: 'Content-Type', value: request.fileType }],
        ...(request.body !== undefined && {
          body: {
            mode: 'raw',
            raw: JSON.stringify(request.body, null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
      },
    });
  }
  const { title, version } = document.info;
  return {
    info: {
      name: `${title} ${version}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [...folders].map(([name, item]) => ({ name, item })),
    event: [
      {
        listen: 'prerequest',
        script: {
          type: 'text/javascript',
          exec: [
            "pm.request.headers.upsert({ key: 'X-Consumer-Key', value: pm.variables.get('consumerKey') });",
            "pm.request.headers.upsert({ key: 'X-Client-Key', value: pm.variables.get('clientKey') });",
          ],
        },
      },
    ],
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
      { key: 'consumerKey', value: '' },
      { key: 'clientKey', value: '' },
    ],
  };
}
