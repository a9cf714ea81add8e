// What the processes of the service cost, read from /proc: CPU, memory and bytes written. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

export interface ProcessFacts {
  readonly pid: number;
  readonly name: string;
  readonly cpuMs: number;
  readonly rssMb: number;
  /** With its share of the pages that it has in common with others. */
  readonly pssMb: number;
  readonly writtenKb: number;
}

/** Names of our processes by a part of their command line. */
const NAMES = [
  ['wrapper', /run-foreign/],
  ['temporal', /temporal.* server start-dev/],
  ['database', /embedded\/database\/main\.js|mongod /],
  ['api', /main\/api\.js/],
  ['orchestrator', /main\/orchestrator\.js/],
  ['probe', /main\/probe\.js/],
  ['supervisor', /main\/all-in-one\.js|scripts\/start\.mjs/],
] as const;

/** The process and all that it started, directly or not. */
export function processTree(pid: number): readonly ProcessFacts[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    parents.set(Number(entry), Number(statOf(Number(entry))[1]));
  const isOurs = (child: number): boolean => {
    if (child === pid) return true;
    const parent = parents.get(child);
    return parent !== undefined && parent > 1 && isOurs(parent);
  };
  return [...parents.keys()].filter(isOurs).flatMap(factsOf);
}

function factsOf(pid: number): ProcessFacts[] {
  const command = readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const name = NAMES.find(([, pattern]) => pattern.test(command))?.[0];
  if (name === undefined) return [];
  const fields = statOf(pid);
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

/** The fields of /proc/PID/stat behind the name, which may hold anything. */
function statOf(pid: number): readonly string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

/** Empty for a process that is gone. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
