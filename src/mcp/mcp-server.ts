/** Serves the tools over the Model Context Protocol, with any transport. No state is kept between calls. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type AskV1, V1Refusal } from './ask-v1';
import { FENCE_RULE, fenceText } from './fence-text';
import { readTools } from './read-tools';
import type { Tool } from './tool';
import { writeTools } from './write-tools';

export const TOOLS: readonly Tool[] = [...readTools, ...writeTools];

const INSTRUCTIONS =
  'Keepwatch watches websites, APIs and jobs. whats_wrong says what needs attention; explain_incident says why people were ' +
  'notified. To change definitions, call plan_set, show the plan to a person, then call apply_plan with its planHash. ' +
  FENCE_RULE;

export interface McpServerOptions {
  readonly version: string;
  readonly ask: AskV1;
}

/** Creates a server that is not connected yet. The SDK is loaded on first use. */
export async function createMcpServer({ version, ask }: McpServerOptions) {
  const [{ McpServer }, protocol] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } = protocol;
  const server = new McpServer(
    { name: 'keepwatch', title: 'Keepwatch', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(describe) }));
  server.server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const found = TOOLS.find(({ name }) => name === params.name);
    if (found === undefined)
      throw new McpError(ErrorCode.InvalidParams, 'There is no tool with this name.');
    return callTool(found, ask, params.arguments);
  });
  return server;
}

function describe({ name, title, description, effect, inputSchema }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destructive',
      idempotentHint: true,
      openWorldHint: true,
    },
  };
}

async function callTool(found: Tool, ask: AskV1, sent: unknown): Promise<CallToolResult> {
  try {
    const outcome = await found.call(ask, sent);
    if ('value' in outcome) return buildResult('', outcome.value);
    return { ...buildResult('The arguments are not valid.\n', outcome.problems), isError: true };
  } catch (error) {
    if (error instanceof V1Refusal)
      return { ...buildResult('Keepwatch refused this.\n', error.problem), isError: true };
    // Errors are handled here, because the SDK would return the error text without a fence. The text may contain
    // instructions to the assistant.
    const detail = error instanceof Error ? error.message : String(error);
    return { ...buildResult('Keepwatch failed.\n', { detail }), isError: true };
  }
}

/** Builds a result that consists only of text, because only text can be put between fences. */
function buildResult(ours: string, value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: `${ours}${fenceText(value)}` }] };
}
