/** Adds the options for the files of `apply` and `check`, and writes notes about the files that were read. */
import { type Command, Option } from 'commander';
import { readInput } from '../ask';
import type { Session } from '../session';
import { type DefinitionSet, readDefinitions } from './definition-files';

export interface FileOptions {
  readonly file: readonly string[];
  readonly allowEnv?: readonly string[];
}

export function addFileOptions(command: Command): Command {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
  return command
    .addOption(
      new Option('-f, --file <path>', 'a file, a folder, or - for standard input; repeatable')
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--allow-env <name>',
        'an environment variable that files may use although it looks like a secret; repeatable',
      ).argParser(collect),
    );
}

/** Reads the files. Writes a note that names the environment variables that were filled in, without their values. */
export async function readFiles(
  session: Session,
  { file, allowEnv }: FileOptions,
): Promise<DefinitionSet> {
  const { environment, output } = session;
  const source = { environment, allowedNames: allowEnv, readInput: () => readInput(session) };
  const files = await readDefinitions(file, source);
  const { environmentNames } = files;
  if (environmentNames.length > 0)
    output.note(`Environment variables used: ${environmentNames.join(', ')}`);
  return files;
}
