/** `import`: turns files of other tools into definitions, and tells what has no counterpart. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { readYaml, TooManyValues } from '../../formats/yaml';
import { readInput } from '../ask';
import { CliError, EXIT_CODES, type FieldFault, reasonOf, usageError } from '../cli-error';
import { decodeFile } from '../files/decode-file';
import { checklyShape, importCheckly } from '../import/checkly';
import { importChecklyProject } from '../import/checkly-project';
import { gatusShape, importGatus } from '../import/gatus';
import { healthchecksShape, importHealthchecks } from '../import/healthchecks';
import type { Imported } from '../import/imported';
import { isSource, readSources } from '../import/source-files';
import { importUptimeKuma, uptimeKumaShape } from '../import/uptime-kuma';
import { machineText } from '../output';
import { type Cli, type Ending, type Session, within } from '../session';

/** Throws a problem of the shape, or returns what it brings. */
const IMPORTERS = {
  'uptime-kuma': (content: unknown) => importUptimeKuma(uptimeKumaShape.parse(content)),
  gatus: (content: unknown) => importGatus(gatusShape.parse(content)),
  healthchecks: (content: unknown) => importHealthchecks(healthchecksShape.parse(content)),
  checkly: (content: unknown) => importCheckly(checklyShape.parse(content)),
} as const;

type Tool = keyof typeof IMPORTERS;

const HELP = `
What FILE is:
  uptime-kuma  a backup of Uptime Kuma (JSON)
  gatus        a configuration of Gatus (YAML)
  healthchecks the checks as its API lists them (JSON of /api/v3/checks/)
  checkly      the folder of a project, or single files of TypeScript or
               JavaScript, which are read and never run; or what its API lists
               (JSON)

What has no counterpart is reported on standard error.`;

export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('Turn files of another tool into one that apply takes; needs no service')
    .addArgument(new Argument('<tool>', 'whose files they are').choices(Object.keys(IMPORTERS)))
    .argument('<file...>', 'a file, or - for standard input; of Checkly also folders')
    .option('--file <path>', 'where to write; default is standard output')
    .addHelpText('after', HELP)
    .action((tool: Tool, files: string[], options: { file?: string }, command: Command) =>
      within(cli, command, (session) =>
        importFiles(session, { tool, from: files, to: options.file }),
      ),
    );
}

interface Request {
  readonly tool: Tool;
  readonly from: readonly string[];
  readonly to: string | undefined;
}

async function importFiles(session: Session, { tool, from, to }: Request): Ending {
  const { output } = session;
  const imported = await read(session, tool, from);
  const { alertChannels = [], maintenanceWindows = [], monitors, env, notes } = imported;
  const definitions = {
    ...(env.length > 0 && { env }),
    ...(alertChannels.length > 0 && { alertChannels }),
    ...(maintenanceWindows.length > 0 && { maintenanceWindows }),
    monitors,
  };
  for (const { name, message } of notes)
    output.note(`${name === '' ? from.join(', ') : name}: ${message}`);
  if (monitors.length + alertChannels.length + maintenanceWindows.length === 0)
    throw usageError(
      `Nothing in ${from.join(', ')} could be imported.`,
      hintFor(tool, notes.length),
    );
  const channels = alertChannels.length === 0 ? '' : `${alertChannels.length} alert channels and `;
  output.note(`${channels}${monitors.length} monitors taken over, ${notes.length} notes.`);
  if (to === undefined) {
    output.show({ definitions, notes }, () => machineText('yaml', definitions));
    return undefined;
  }
  try {
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, `${machineText(to.endsWith('.json') ? 'json' : 'yaml', definitions)}\n`);
  } catch (error) {
    throw usageError(`${to} cannot be written: ${reasonOf(error)}.`);
  }
  output.show(
    { file: to, monitors: monitors.length, notes },
    () => `Wrote ${to}; look at it, then: keepwatch apply -f ${to}`,
  );
  return undefined;
}

/** What to look at after an import that found nothing. */
function hintFor(tool: Tool, notes: number): string {
  if (notes > 0) return 'The notes above say why.';
  return tool === 'checkly'
    ? 'Checks are found where a file says new ApiCheck(…) or the like, imported from checkly/constructs.'
    : `Check that it is a file of ${tool} and that its list is not empty.`;
}

async function read(session: Session, tool: Tool, paths: readonly string[]): Promise<Imported> {
  const [file = '-', ...more] = paths;
  if (tool === 'checkly' && paths.some(isSource)) return importChecklyProject(readSources(paths));
  if (more.length > 0) throw usageError(`One file of ${tool} at a time.`);
  return convert(tool, file, await textOf(session, file));
}

async function textOf(session: Session, file: string): Promise<string> {
  if (file === '-') return readInput(session);
  try {
    return decodeFile(readFileSync(file), file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}

function convert(tool: Tool, file: string, text: string): Imported {
  try {
    const content = readYaml(text);
    return IMPORTERS[tool](content);
  } catch (error) {
    if (error instanceof z.ZodError) {
      const message = `${file} is not a file of ${tool}.`;
      throw new CliError(EXIT_CODES.usage, message, { errors: error.issues.map(faultOf) });
    }
    if (error instanceof TooManyValues) throw usageError(`${file} can't be read. ${error.message}`);
    const reason = reasonOf(error).split('\n')[0] ?? '';
    throw usageError(`${file} is not a file of ${tool}: ${reason}`);
  }
}

/** Like `monitorList[2].name is no string`. */
function faultOf({ path, message }: z.core.$ZodIssue): FieldFault {
  const shown = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return { path: shown.join('').replace(/^\./, ''), message: `(${message})` };
}
