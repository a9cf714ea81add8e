/** Reads the Dockerfile: its stages, and what the image configures for a container. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const ROOT = process.cwd();
const words = z.array(z.string()).min(1);

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

interface Dockerfile {
  /** Texts of the stages, each from its FROM. Continued lines are joined. */
  readonly stages: readonly string[];
  readonly instructions: readonly Instruction[];
  /** Environment variables of the last stage. */
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly folder: string;
  readonly user: number;
}

function listInstructions(text: string): readonly Instruction[] {
  return text
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.replace(/^[A-Z]+ +/, '') }));
}

export function readDockerfile(): Dockerfile {
  const text = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const stages = text.split(/^(?=FROM )/m).slice(1);
  const last = listInstructions(stages.at(-1) ?? '');
  const find = (name: string): string => last.find((one) => one.name === name)?.rest ?? '';
  return {
    stages,
    instructions: listInstructions(text),
    environment: Object.fromEntries(
      find('ENV')
        .split(/\s+/)
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
    command: words.parse(JSON.parse(find('CMD'))),
    healthCheck: words.parse(JSON.parse(/CMD (\[.*\])/.exec(find('HEALTHCHECK'))?.[1] ?? '[]')),
    folder: find('WORKDIR'),
    user: Number(find('USER').split(':')[0]),
  };
}
