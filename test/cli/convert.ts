/**
 * Runs an import on files of another tool. Reads the output as `apply` reads files, and validates it with the schemas
 * of the service.
 */
import { readDefinitions } from '../../src/cli/files/definition-files';
import { alertChannelBody } from '../../src/schemas/alerts';
import { validate } from '../../src/schemas/issues';
import { maintenanceWindowBody } from '../../src/schemas/maintenance';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';
import { statusPageEntry } from '../../src/schemas/status-pages/status-page';
import { onTerminal } from './terminal';

/** Values for the variables that an import declares. Every value is a URL. */
const ENVIRONMENT = new Proxy<Record<string, string>>({}, { get: () => 'https://env.example' });

/** Imports the content as a temporary file. Returns the definitions and the messages. */
export function convertText(tool: string, content: unknown, ...options: readonly string[]) {
  return convertYaml(tool, JSON.stringify(content), ...options);
}

export async function convertYaml(tool: string, input: string, ...options: readonly string[]) {
  const parameters = ['import', tool, '-', '--output', 'json', ...options];
  return converted(await onTerminal(parameters, { isTerminal: false, input }));
}

/** Returns the error for a file that does not belong to the tool. */
export async function refusedText(tool: string, content: unknown): Promise<string> {
  const given = { isTerminal: false, input: JSON.stringify(content) };
  const { code, stdout, stderr } = await onTerminal(['import', tool, '-'], given);
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

/** Returns the definitions and the messages, one per line. Validates the definitions. */
export async function converted({ code, stdout }: Awaited<ReturnType<typeof onTerminal>>) {
  expect(code).toBe(0);
  const { definitions, notes } = JSON.parse(stdout);
  const told = notes.map(({ name, message }: Record<string, string>) => `${name}: ${message}`);
  await expectFine(JSON.stringify(definitions));
  return { ...definitions, told };
}

export async function expectFine(text: string): Promise<void> {
  const { env = [] } = JSON.parse(text);
  const allowedNames = env.map((entry: string | { name: string }) =>
    typeof entry === 'string' ? entry : entry.name,
  );
  const source = { environment: ENVIRONMENT, allowedNames, readInput: async () => text };
  const { lists } = await readDefinitions(['-'], source);
  const problems = [
    // Leaves out `alerts`, because the service resolves the keys of channels before it validates a monitor.
    ...lists.monitors.map(({ value: { alerts: _alerts, ...value } }) =>
      validate(monitorBody, value),
    ),
    ...lists.scenarios.map(({ value }) => validate(scenarioBody, value)),
    ...lists.alertChannels.map(({ value }) => validate(alertChannelBody, value)),
    ...lists.maintenanceWindows.map(({ value }) => validate(maintenanceWindowBody, value)),
    ...lists.statusPages.map(({ value }) => validate(statusPageEntry, value)),
  ].flatMap((validated) => (validated.ok ? [] : validated.problems));
  expect(problems).toEqual([]);
}
