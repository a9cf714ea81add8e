/** Creates a client of the tools, in memory or over any transport. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import type { AskV1 } from '../../src/mcp/ask-v1';
import { createMcpServer } from '../../src/mcp/mcp-server';

const resultShape = z.looseObject({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
});
export type ToolResult = z.output<typeof resultShape>;

export interface ToolClient {
  readonly client: Client;
  readonly call: (name: string, args?: object) => Promise<ToolResult>;
  /** Calls a tool. Returns the parsed data inside the fence. */
  readonly data: (name: string, args?: object) => Promise<ReturnType<typeof JSON.parse>>;
  readonly close: () => Promise<void>;
}

export async function toolClient(transport: Transport): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, args: object = {}): Promise<ToolResult> =>
    resultShape.parse(await client.callTool({ name, arguments: { ...args } }));
  return {
    client,
    call,
    data: async (name, args) => {
      const { content, isError } = await call(name, args);
      const text = content.map((part) => part.text).join('');
      if (isError === true) throw new Error(text);
      return JSON.parse(/BEGIN DATA \w+\n(.*)\nEND DATA/.exec(text)?.[1] ?? '');
    },
    close: () => client.close(),
  };
}

export async function callInMemory(ask: AskV1): Promise<ToolClient> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await createMcpServer({ version: '0.0.0', ask });
  await server.connect(theirs);
  return toolClient(ours);
}
