/** Examines whether the host meets the requirements of the service: a supported runtime, and disk space. */
import { access, statfs } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { dirname } from 'node:path';
import type { Settings } from '../config/settings';
import { type Finding, failed, formatReason, ok, warning } from './finding';

const BITS_MAX = { ipv4: 32, ipv6: 128 } as const;
const NODE_MIN = [20, 19] as const;
const MEBIBYTE = 1024 * 1024;
const FREE_FAILED_BYTES = 100 * MEBIBYTE;
const FREE_WARNING_BYTES = 1024 * MEBIBYTE;

export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = NODE_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return ok('Node', version);
  return failed('Node', version, `Install Node ${NODE_MIN.join('.')} or newer.`);
}

/** Examines the free disk space of the data folder, which may not exist yet. */
export async function examineDisk(dataFolder: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(await firstThatExists(dataFolder));
    return judgeFree(bavail * bsize, dataFolder);
  } catch (error) {
    return warning('disk', formatReason(error), 'Check that KEEPWATCH_DATA_DIR can be read.');
  }
}

export function judgeFree(freeBytes: number, dataFolder: string): Finding {
  const says = `${Math.floor(freeBytes / MEBIBYTE)} MiB free at ${dataFolder}`;
  const advice =
    'Free disk space, or lower KEEPWATCH_RESULT_RETENTION_DAYS. A full disk refuses writes.';
  if (freeBytes < FREE_FAILED_BYTES) return failed('disk', says, advice);
  if (freeBytes < FREE_WARNING_BYTES) return warning('disk', says, advice);
  return ok('disk', says);
}

async function firstThatExists(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return firstThatExists(above);
  }
}

/** Examines the allowed private ranges. If a range contains this machine, monitors can reach every port of it. */
export function examineTargets({ KEEPWATCH_ALLOWED_PRIVATE_TARGETS: allowed }: Settings): Finding {
  const open = allowed.filter((range) => !range.includes('#') && holdsLoopback(range));
  if (open.length === 0) return ok('private targets', describeRanges(allowed.length));
  const advice = 'Allow only the ports that you want to check, like 127.0.0.1/32#8080.';
  return warning('private targets', `${open.join(', ')} allows every port of this machine`, advice);
}

function describeRanges(count: number): string {
  return count === 0 ? 'none are allowed' : 'loopback is blocked, or allowed for single ports only';
}

function holdsLoopback(range: string): boolean {
  const [address = '', bits] = range.split('/');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(address, bits === undefined ? BITS_MAX[family] : Number(bits), family);
  return list.check('127.0.0.1', 'ipv4') || list.check('::1', 'ipv6');
}

export function examineMail({ SMTP_URL }: Settings): Finding {
  if (SMTP_URL !== undefined) return ok('mail', 'a mail server is set');
  const advice = 'Set SMTP_URL and MAIL_FROM, unless no one is notified by email.';
  return warning('mail', 'no mail server: alerts by mail fail', advice);
}
