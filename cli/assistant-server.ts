import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { CommerceError, createClient } from '../sdk/integrator/src/commerce-sdk.ts';
import {
  type AssistantTool,
  assistantTools,
  isReadOnly,
  type ServiceDescription,
} from './assistant-tools.ts';
import type { Access } from './sandbox-client.ts';

/**
 * A server of the Model Context Protocol over the operations that these keys may call at this service. Reads only, unless `writes`. Fails if the
 * service does not answer or refuses the keys.
 */
export async function assistantServer(
  { baseUrl, consumerKey, clientKey }: Access,
  { writes }: { readonly writes: boolean },
): Promise<Server> {
  const client = createClient({ baseUrl, consumerKey, clientKey });
  const { data: who } = await client.call('whoAmI');
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ServiceDescription;
  const tools = assistantTools(description, who.key.permissions, { writes });
  const server = new Server(
    { name: 'dispensary', version: description.info.version },
    {
      capabilities: { tools: {} },
      instructions:
        `The shop ${who.organization.name} (${who.organization.state}, time zone ${who.organization.tz}), environment ${who.environment}. ` +
        'Money is integer cents. Lists have pages: pass what the description of the tool says to get the next one. ' +
        (writes
          ? 'Some tools change the shop: ask the person before each of them.'
          : 'No tool changes anything.'),
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map(shownTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return refused(`There is no tool ${params.name}, or these keys may not use it.`);
    return call(client, tool, params.arguments ?? {});
  });
  return server;
}

function shownTool(tool: AssistantTool) {
  const { name, title, description, inputSchema, method } = tool;
  const readOnlyHint = isReadOnly(tool);
  const destructiveHint = !readOnlyHint && (method === 'delete' || /^(cancel|reset|remove)/.test(name));
  return {
    ...{ name, title, description, inputSchema },
    annotations: { title, readOnlyHint, destructiveHint, idempotentHint: true, openWorldHint: false },
  };
}

async function call(
  client: ReturnType<typeof createClient>,
  { method, path, pathNames, queryNames }: AssistantTool,
  given: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const missing = pathNames.filter((name) => given[name] === undefined || given[name] === '');
  if (missing.length > 0) return refused(`Required but absent: ${missing.join(', ')}.`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const query = Object.fromEntries(
    queryNames.filter((name) => given[name] !== undefined).map((name) => [name, given[name] as string]),
  );
  try {
    const answer =
      method === 'get'
        ? await client.get(filled, { query })
        : await client.send(method.toUpperCase() as 'POST', filled, {
            query,
            body: (given.body ?? {}) as object,
          });
    return { content: [{ type: 'text', text: JSON.stringify({ data: answer.data, meta: answer.meta }) }] };
  } catch (error) {
    if (!(error instanceof CommerceError)) throw error;
    const { code, message, meta, requestId } = error;
    return refused(JSON.stringify({ error: { code, message, meta }, requestId }));
  }
}

function refused(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
