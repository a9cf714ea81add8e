/** The whole command line: its commands and exit codes. */
import { Command, CommanderError, Option } from 'commander';
import { CliError, EXIT_CODES, formatReason, usageError } from './cli-error';
import { addApplyCommands } from './commands/apply-commands';
import { addCheckCommand } from './commands/check-command';
import { addCompletionCommand } from './commands/completion-command';
import { addEventsCommand } from './commands/events-command';
import { addHeartbeatCommand } from './commands/heartbeat-command';
import { addImportCommand } from './commands/import-command';
import { addIncidentCommands } from './commands/incident-commands';
import { addLoginCommands } from './commands/login-commands';
import { addMaintenanceCommands } from './commands/maintenance-commands';
import { addMcpCommand } from './commands/mcp-command';
import { addOperatorCommands } from './commands/operator-commands';
import { addPostCommands } from './commands/post-commands';
import { addProfileCommands } from './commands/profile-commands';
import { addRegionCommands } from './commands/region-commands';
import { addResourceCommands } from './commands/resource-commands';
import { addRolloutCommands } from './commands/rollout-commands';
import { addSecretCommands } from './commands/secret-commands';
import { addStatusCommand } from './commands/status-command';
import { addSubscriberCommands } from './commands/subscriber-commands';
import { addWatchdogCommand } from './commands/watchdog-command';
import { addExamples } from './help-examples';
import { createOutput, FORMATS, type Format, formatError } from './output';
import { addRunOptions, runScenarios } from './run-scenarios';
import { type Cli, runInSession, type Surroundings } from './session';

const EXIT_CODES_TEXT = `
Exit codes:
  0 passed   1 failed   2 usage   3 service not reached   4 refused (401, 403)
  5 rejected (404, 409, bad field)   6 drift
  7 no verdict (error, cancelled, time over)   130 Ctrl-C at a question

URL and key: KEEPWATCH_URL and KEEPWATCH_API_KEY, or keepwatch login;
in CI without a key: KEEPWATCH_PIPELINE.`;

/** Runs one command. Resolves to the exit code and never rejects. */
export async function runCli(
  parameters: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const cli: Cli = { surroundings, exitCode: EXIT_CODES.passed };
  const program = createProgram(cli);
  try {
    await program.parseAsync([...parameters], { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    const format = findFormat(program);
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // Commander has already shown the error as text.
    if (error instanceof CommanderError && format !== 'json') return EXIT_CODES.usage;
    const options = { format, isColourWanted: false, isQuiet: false };
    const output = createOutput(surroundings, surroundings.environment, options);
    const shown = toCliError(error);
    output.showError(shown);
    return shown.exitCode;
  }
}

function findFormat(program: Command): Format {
  return FORMATS.find((known) => known === program.opts()['output']) ?? 'table';
}

function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (!(error instanceof CommanderError))
    return new CliError(EXIT_CODES.failed, formatReason(error));
  if (error.code === 'commander.help') return usageError('A command is missing.');
  return toUsageError(error.message);
}

/** Converts a message of commander, such as `error: unknown command 'aply'`, to the form of all other errors. */
function toUsageError(text: string): CliError {
  // The second line is a suggestion in brackets, like `(Did you mean apply?)`.
  const [message = '', hint] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const sentence = message.charAt(0).toUpperCase() + message.slice(1).replace(/\.$/, '');
  return usageError(`${sentence}.`, hint?.replaceAll(/[()]/g, ''));
}

/** Creates all commands without running one. */
export function createProgram(cli: Cli): Command {
  const { stdout, stderr, version } = cli.surroundings;
  const program = new Command('keepwatch')
    .description(
      'Uptime monitoring that cannot lose a check, from the command line and in pipelines',
    )
    .version(version)
    .addOption(
      new Option('-o, --output <format>', 'output format').choices(FORMATS).default('table'),
    )
    .option('--url <url>', 'URL of the service; default is KEEPWATCH_URL, then the saved URL')
    .option('--no-color', 'no colours; NO_COLOR does the same')
    .option('-q, --quiet', 'no progress on standard error')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('To see all, run keepwatch --help.')
    .addHelpText('after', EXIT_CODES_TEXT)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // If the output is JSON, the error is written as JSON after commander has ended.
      writeErr: (text) => findFormat(program) === 'json' || stderr.write(text),
      outputError: (text, write) => write(formatError(toUsageError(text))),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    // These settings must come before the subcommands, because a subcommand inherits only settings that were made
    // before it was added.
    .exitOverride();
  addCommands(program, cli);
  addExamples(program);
  // The list of top-level commands shows names without arguments. Lists of subcommands still show arguments, because
  // they were created with the settings above.
  program.configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() });
  return program;
}

/** Adds all commands, in the groups and order of the help. */
function addCommands(program: Command, cli: Cli): void {
  program.commandsGroup('Run and check:');
  addStatusCommand(program, cli);
  addRunCommand(program, cli);
  addCheckCommand(program, cli);
  addResourceCommands(program, cli, 'monitors');
  addResourceCommands(program, cli, 'scenarios');
  addRolloutCommands(program, cli);
  addEventsCommand(program, cli);
  program.commandsGroup('Files:');
  addApplyCommands(program, cli);
  addImportCommand(program, cli);
  program.commandsGroup('Incidents:');
  addIncidentCommands(program, cli);
  program.commandsGroup('Maintenance:');
  addMaintenanceCommands(program, cli);
  program.commandsGroup('Status pages:');
  addPostCommands(program, cli);
  addSubscriberCommands(program, cli);
  program.commandsGroup('Jobs:');
  addHeartbeatCommand(program, cli);
  program.commandsGroup('Administration:');
  addProfileCommands(program, cli);
  addSecretCommands(program, cli);
  addRegionCommands(program, cli);
  addWatchdogCommand(program, cli);
  addOperatorCommands(program, cli);
  program.commandsGroup('Set-up:');
  addLoginCommands(program, cli);
  addCompletionCommand(program, cli);
  addMcpCommand(program, cli);
  program.helpCommand(true);
}

function addRunCommand(program: Command, cli: Cli): void {
  addRunOptions(program.command('run')).action(
    (keys: string[], options: object, command: Command) =>
      runInSession(cli, command, (session) => runScenarios(session, keys, options)),
  );
}
