/** `import`: converts files of other tools to definitions, and reports parts that cannot be converted. */
import { statSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { usageError } from '../cli-error';
import { listDefinitionFiles } from '../files/definition-files';
import { writeText } from '../files/file-access';
import { convertFile, readText } from '../files/foreign-files';
import { hasSecretName } from '../files/substitute';
import { parseText } from '../files/yaml-faults';
import type * as Checking from '../import/check-imported';
import { checklyShape, importCheckly } from '../import/checkly/checkly';
import { importChecklyProject } from '../import/checkly/checkly-project';
import { gatusShape, importGatus, mergeGatus } from '../import/gatus';
import { healthchecksShape, importHealthchecks } from '../import/healthchecks';
import { hideSecrets } from '../import/hide-secrets';
import type { Imported } from '../import/imported';
import { importRequests } from '../import/requests';
import { isSource, readSources } from '../import/source-files';
import { readInstatus } from '../import/status-pages/instatus';
import { importPage } from '../import/status-pages/source-page';
import { readStatuspage } from '../import/status-pages/statuspage';
import { importUptimeKuma } from '../import/uptime-kuma';
import { uptimeKumaShape } from '../import/uptime-kuma-shape';
import { formatData } from '../output';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';

/** The contents of the files, in the order in which they were named. */
type Contents = readonly unknown[];

/** Each importer returns definitions, or throws the problem of the file. */
const IMPORTERS = {
  'uptime-kuma': ([content]: Contents) => importUptimeKuma(uptimeKumaShape.parse(content)),
  gatus: (contents: Contents) => importGatus(gatusShape.parse(mergeGatus(contents))),
  healthchecks: ([content]: Contents) => importHealthchecks(healthchecksShape.parse(content)),
  checkly: ([content]: Contents) => importCheckly(checklyShape.parse(content)),
  statuspage: (contents: Contents) => importPage(readStatuspage(contents)),
  instatus: (contents: Contents) => importPage(readInstatus(contents)),
} as const;

/** Tools that have several files per configuration. */
const SEVERAL: readonly string[] = ['gatus', 'statuspage', 'instatus'];

/** Tools whose files contain requests. Each file becomes a scenario. */
const REQUEST_TOOLS = ['postman', 'openapi', 'har'] as const;
type RequestTool = (typeof REQUEST_TOOLS)[number];
type Tool = keyof typeof IMPORTERS | RequestTool;

const TOOLS: readonly string[] = [...Object.keys(IMPORTERS), ...REQUEST_TOOLS];

const HELP = `
What FILE is:
  uptime-kuma  a backup of Uptime Kuma (JSON)
  gatus        a configuration of Gatus (YAML): a file, several, or a folder
  healthchecks the checks as its API lists them (JSON of /api/v3/checks/)
  checkly      the folder of a project, or single files of TypeScript or
               JavaScript, which are read and never run; or what its API lists
               (JSON)
  statuspage   what a page of Statuspage publishes (JSON of /api/v2/summary.json
               or components.json), or lists of its API
  instatus     lists of its API (JSON of /v1/pages, /v1/{page}/components,
               incidents, maintenances)
  postman      a collection (JSON, format 2.0 or 2.1)
  openapi      a document of OpenAPI 3 (JSON or YAML)
  har          a recording of a browser (HAR)

Requests of the last three become the steps of a scenario. Requests that would
change something (openapi) and resources that a page loads (har) are left out,
unless --all is given. Settings without a counterpart are reported on standard
error.`;

export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('Convert files of another tool for apply; needs no server')
    .addArgument(new Argument('<tool>', 'the tool that wrote the files').choices(TOOLS))
    .argument('<file...>', 'a file, or - for standard input; for Checkly and Gatus also a folder')
    .option('--file <path>', 'output file; default is standard output')
    .option('--all', 'of openapi and har: every request', false)
    .addHelpText('after', HELP)
    .action((tool: Tool, files: string[], options: Options, command: Command) =>
      runInSession(cli, command, (session) =>
        importFiles(session, { tool, from: files, to: options.file, isAll: options.all }),
      ),
    );
}

interface Options {
  readonly file?: string;
  readonly all: boolean;
}

interface Request {
  readonly tool: Tool;
  readonly from: readonly string[];
  readonly to: string | undefined;
  readonly isAll: boolean;
}

async function importFiles(session: Session, request: Request): ExitStatus {
  const { output } = session;
  const { tool, from, to } = request;
  // This module is loaded on demand, because its schemas are large and no other command needs them.
  const { checkImported }: typeof Checking = require('../import/check-imported');
  const imported = checkImported(hideSecrets(await read(session, request)));
  const { notes, monitors, env } = imported;
  const lists = listsIn(imported);
  const definitions = { ...(env.length > 0 && { env }), ...lists };
  for (const { name, message } of notes)
    output.warn(`${name === '' ? from.join(', ') : name}: ${message}`);
  if (Object.values(lists).every((list = []) => list.length === 0))
    throw usageError(
      `Nothing in ${from.join(', ')} could be imported.`,
      hintFor(tool, notes.length),
    );
  output.note(`Imported ${formatCounts(imported)} (${counted(notes.length, 'note')}).`);
  const allowed = allowedOptions(imported);
  if (allowed !== '')
    output.note(`Apply it with${allowed}, because these names look like secrets.`);
  if (to === undefined) {
    output.show({ definitions, notes }, () => formatData('yaml', definitions));
    return undefined;
  }
  writeText(to, `${formatData(to.endsWith('.json') ? 'json' : 'yaml', definitions)}\n`);
  output.show(
    { file: to, monitors: monitors.length, notes },
    () => `Wrote ${to}. Read it, then run: keepwatch apply -f ${to}${allowed}`,
  );
  return undefined;
}

/** Returns the lists that are not empty. An empty `monitors` is included if there are no scenarios or status pages. */
function listsIn({
  alertChannels,
  maintenanceWindows,
  scenarios,
  monitors,
  statusPages,
}: Imported) {
  const given = { alertChannels, maintenanceWindows, monitors, scenarios, statusPages };
  const hasOthers = [...(scenarios ?? []), ...(statusPages ?? [])].length > 0;
  const lists = Object.entries(given).filter(
    ([list, all = []]) => all.length > 0 || (list === 'monitors' && !hasOthers),
  );
  return Object.fromEntries(lists);
}

function formatCounts(imported: Imported): string {
  const { alertChannels = [], monitors, scenarios = [], statusPages = [] } = imported;
  if (statusPages.length > 0) return counted(statusPages.length, 'status page');
  const { length } = alertChannels;
  const channels = length === 0 ? '' : `${counted(length, 'channel')} and `;
  const checks =
    scenarios.length === 0
      ? counted(monitors.length, 'monitor')
      : counted(scenarios.length, 'scenario');
  return `${channels}${checks}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the options that allow `apply` to fill in these variables, although their names look secret. */
function allowedOptions({ env }: Imported): string {
  return env
    .map((entry) => (typeof entry === 'string' ? entry : entry.name))
    .filter(hasSecretName)
    .map((name) => ` --allow-env ${name}`)
    .join('');
}

/** Returns the hint that is shown after an import that found nothing. */
function hintFor(tool: Tool, notes: number): string {
  if (notes > 0) return 'The notes above say why.';
  return tool === 'checkly'
    ? 'Checks are constructs such as new ApiCheck(…), which a file imports from checkly/constructs.'
    : `Check that it is a file of ${tool} and that its list is not empty.`;
}

async function read(session: Session, { tool, from, isAll }: Request): Promise<Imported> {
  if (tool === 'checkly' && from.some(isSource)) return importChecklyProject(readSources(from));
  const files = tool === 'gatus' ? from.flatMap(filesAt) : from;
  const [file = '-', ...more] = files;
  if (more.length > 0 && !SEVERAL.includes(tool))
    throw usageError(`One file of ${tool} at a time.`);
  const texts: string[] = [];
  for (const one of files) texts.push(await readText(session, one));
  const [text = ''] = texts;
  if (isRequestTool(tool)) return importRequests(text, { tool, file, isAll });
  const contents = texts.map((each, at) => parseText(each, files[at] ?? file));
  return convertFile({ tool, file: files.join(', ') }, () => IMPORTERS[tool](contents));
}

function isRequestTool(tool: Tool): tool is RequestTool {
  return REQUEST_TOOLS.some((known) => known === tool);
}

/** Returns the files of a folder that Gatus would read. Any other path is returned unchanged. */
function filesAt(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [path];
  const files = listDefinitionFiles(path).filter((file) => /\.ya?ml$/.test(file));
  if (files.length === 0) throw usageError(`${path} contains no .yaml or .yml file.`);
  return files;
}
