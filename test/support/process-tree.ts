/** Reads how much CPU time the descendants of a process have used, on systems that have /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** Index of the parent's id in /proc/PID/stat, counted after the process name. */
const PARENT_FIELD = 1;
/**
 * Indices of the CPU times in /proc/PID/stat: user and system time of the process, then of the children that it has
 * waited for.
 */
const CPU_FIELDS = [11, 12, 13, 14];
const TICK_MS = 10;

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

function readRow(pid: number): readonly ProcessRow[] {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S \d)/);
    const fields = after.split(' ').map(Number);
    const ticks = CPU_FIELDS.reduce((sum, field) => sum + (fields[field] ?? 0), 0);
    return [{ pid, parent: fields[PARENT_FIELD] ?? 0, cpuMs: ticks * TICK_MS }];
  } catch {
    // The process has ended, or the system has no such file.
    return [];
  }
}

function listPids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Returns the CPU milliseconds of all descendants so far, without the process itself. 0 without /proc. */
export function cpuMsOfDescendants(pid: number): number {
  const rows = listPids().flatMap(readRow);
  const sumBelow = (parent: number): number =>
    rows
      .filter((row) => row.parent === parent)
      .reduce((sum, row) => sum + row.cpuMs + sumBelow(row.pid), 0);
  return sumBelow(pid);
}
