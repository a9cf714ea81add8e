/** `mcp`: tools for assistants over standard input and output, with the rights of the command line's key. */
import type { Command } from 'commander';
import { z } from 'zod';
import { type AskV1, V1Refusal } from '../../mcp/ask-v1';
import { createMcpServer } from '../../mcp/mcp-server';
import { CliError } from '../cli-error';
import type { Client } from '../client';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';

/** Time limit of a request. A tool may wait a minute for a run, and two minutes for the test of a scenario. */
const TIMEOUT_MS = 130_000;

export function addMcpCommand(program: Command, cli: Cli): void {
  program
    .command('mcp')
    .description('Serve tools to an assistant over standard input and output (MCP)')
    .action((_options: object, command: Command) => runInSession(cli, command, serve));
}

/** Serves until the input ends. The process exits only after pending responses have been written. */
async function serve({ client, stdin, stdout, version, output }: Session): ExitStatus {
  const ask = createAsk(client());
  const server = await createMcpServer({ version, ask });
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  if (stdin.isTTY)
    output.note('An assistant starts this command and speaks to it. Ctrl-C ends it.');
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  return undefined;
}

function createAsk(client: Client): AskV1 {
  return async ({ path, ...call }) => {
    try {
      return await client.call(path, z.unknown(), { ...call, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const { message, code, errors, hint } = error;
      throw new V1Refusal({ code, detail: message, errors, hint });
    }
  };
}
