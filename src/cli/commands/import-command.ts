/** `import`: turns files of other tools into definitions, and tells what has no counterpart. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Argument, type Command } from 'commander';
import { parse } from 'yaml';
import { readInput } from '../ask';
import { reasonOf, usageError } from '../cli-error';
import { checklyShape, importCheckly } from '../import/checkly';
import { gatusShape, importGatus } from '../import/gatus';
import type { Imported } from '../import/imported';
import { importUptimeKuma, uptimeKumaShape } from '../import/uptime-kuma';
import { machineText } from '../output';
import { type Cli, type Ending, type Session, within } from '../session';

/** Throws a problem of the shape, or answers what it brings. */
const IMPORTERS = {
  'uptime-kuma': (content: unknown) => importUptimeKuma(uptimeKumaShape.parse(content)),
  gatus: (content: unknown) => importGatus(gatusShape.parse(content)),
  checkly: (content: unknown) => importCheckly(checklyShape.parse(content)),
} as const;

type Tool = keyof typeof IMPORTERS;

export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('Turn a file of another tool into one that apply takes; needs no service')
    .addArgument(new Argument('<tool>', 'whose file it is').choices(Object.keys(IMPORTERS)))
    .argument('<file>', 'a backup of Uptime Kuma, a configuration of Gatus, or checks of Checkly')
    .option('--file <path>', 'where to write; default is standard output')
    .action((tool: Tool, file: string, options: { file?: string }, command: Command) =>
      within(cli, command, (session) =>
        importFile(session, { tool, from: file, to: options.file }),
      ),
    );
}

interface Request {
  readonly tool: Tool;
  readonly from: string;
  readonly to: string | undefined;
}

async function importFile(session: Session, { tool, from, to }: Request): Ending {
  const { output } = session;
  const imported = convert(tool, from, await textOf(session, from));
  const { monitors, env, notes } = imported;
  const definitions = { ...(env.length > 0 && { env }), monitors };
  for (const { name, message } of notes) output.note(`${name === '' ? from : name}: ${message}`);
  output.note(`${monitors.length} monitors taken over, ${notes.length} notes.`);
  if (to === undefined) {
    output.show({ definitions, notes }, () => machineText('yaml', definitions));
    return undefined;
  }
  try {
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, `${machineText(to.endsWith('.json') ? 'json' : 'yaml', definitions)}\n`);
  } catch (error) {
    throw usageError(`${to} can not be written: ${reasonOf(error)}.`);
  }
  output.show(
    { file: to, monitors: monitors.length, notes },
    () => `Wrote ${to}; look at it, then: keepwatch apply -f ${to}`,
  );
  return undefined;
}

async function textOf(session: Session, file: string): Promise<string> {
  if (file === '-') return readInput(session);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${file} can not be read: ${reasonOf(error)}.`);
  }
}

function convert(tool: Tool, file: string, text: string): Imported {
  try {
    const content: unknown = parse(text, { merge: true });
    return IMPORTERS[tool](content);
  } catch (error) {
    const reason = reasonOf(error).split('\n')[0] ?? '';
    throw usageError(`${file} is not a file of ${tool}: ${reason}`);
  }
}
