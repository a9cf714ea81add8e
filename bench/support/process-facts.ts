// Reads what the processes of the service use from /proc: CPU, memory and bytes written. Works on
// Linux only.
import { readdirSync, readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

export interface ProcessFacts {
  readonly pid: number;
  readonly name: string;
  readonly cpuMs: number;
  readonly rssMb: number;
  /** Memory of the process in MB. Memory that several processes share is divided among them. */
  readonly pssMb: number;
  readonly writtenKb: number;
}

/** Names of the service's processes, by a part of their command line. */
const NAMES = [
  ['wrapper', /run-foreign/],
  ['temporal', /temporal.* server start-dev|temporal-server-[^/ ]+\/server start/],
  // The PostgreSQL server, and the processes that the server starts for connections.
  ['postgres', /\/postgres -D|^postgres: /],
  ['database', /embedded\/database\/main\.js|mongod /],
  ['api', /main\/api\.js/],
  ['orchestrator', /main\/orchestrator\.js/],
  ['probe', /main\/probe\.js/],
  ['supervisor', /main\/all-in-one\.js|scripts\/start\.mjs/],
] as const;

/** Lists the process and all of its descendants. */
export function processTree(pid: number): readonly ProcessFacts[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    parents.set(Number(entry), Number(readStat(Number(entry))[1]));
  const isOurs = (child: number): boolean => {
    if (child === pid) return true;
    const parent = parents.get(child);
    return parent !== undefined && parent > 1 && isOurs(parent);
  };
  return [...parents.keys()].filter(isOurs).flatMap(readFacts);
}

function readFacts(pid: number): ProcessFacts[] {
  const command = readCommand(pid);
  const name = NAMES.find(([, pattern]) => pattern.test(command))?.[0];
  if (name === undefined) return [];
  const fields = readStat(pid);
  const ticks = Number(fields[11]) + Number(fields[12]);
  const io = readText(`/proc/${pid}/io`);
  const written =
    numberIn(io, /^write_bytes: (\d+)/m) - numberIn(io, /cancelled_write_bytes: (\d+)/);
  return [
    {
      pid,
      name,
      cpuMs: (ticks * 1_000) / CLOCK_TICKS_PER_SECOND,
      rssMb: numberIn(readText(`/proc/${pid}/status`), /VmRSS:\s+(\d+)/) / 1_024,
      pssMb: numberIn(readText(`/proc/${pid}/smaps_rollup`), /^Pss:\s+(\d+)/m) / 1_024,
      writtenKb: written / 1_024,
    },
  ];
}

/**
 * Returns the command line of a process. In the image, all roles run `main/container.js`, so the name of the role
 * replaces `container`.
 */
function readCommand(pid: number): string {
  const command = readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  if (!command.includes('main/container.js')) return command;
  const [, role = ''] = /\0KEEPWATCH_ROLE=(\w+)/.exec(readText(`/proc/${pid}/environ`)) ?? [];
  return command.replace('container', role);
}

/** Returns the fields of /proc/PID/stat after the process name. The name may contain any characters. */
function readStat(pid: number): readonly string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

/** Returns the text of the file, or an empty text if the process has ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
