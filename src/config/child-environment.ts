/**
 * The environment as a whole, and the parts of it that child processes get: what the system needs, and
 * for our own roles the settings that they read. Everything else of it is no business of theirs.
 */
import { givenSettings } from './settings';
import { type ProcessRole, SETTINGS_TABLE } from './settings-table';

/** Programs, folders, languages, proxies, certificates, limits of runtimes, and where pip looks. */
const SYSTEM_NAMES =
  /^(PATH|PATHEXT|HOME|USER|USERNAME|LOGNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|SHELL|COMSPEC|SYSTEMROOT|SYSTEMDRIVE|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|TMP|TEMP|TMPDIR|TZ|LANG|LANGUAGE|LC_[A-Z]+|XDG_[A-Z_]+|TERM|NO_COLOR|FORCE_COLOR|(HTTP|HTTPS|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_[A-Z_]+|UV_THREADPOOL_SIZE|GOGC|GOMAXPROCS|GOMEMLIMIT|MALLOC_[A-Z_]+|LD_LIBRARY_PATH|DYLD_[A-Z_]+|PIP_[A-Z_]+|PYTHON[A-Z]+|VIRTUAL_ENV|CI)$/i;

/** A copy of this process's whole environment with the given names set on top. */
export function wholeEnvironment(
  overrides: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/**
 * What keeps our processes small. glibc keeps up to eight times as many arenas as there are cores, and V8 up to
 * 48 MB of young objects for each thread. Measured with 100 monitors every 10 s, the smaller young space took
 * 85 MB off all processes together and cost about 1 ms of CPU in 25 per check; the arenas were not measured by
 * themselves. A value of the operator's own wins.
 */
const SMALL = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=4' };

/** For programs of others: what the system needs, and no setting. */
export function systemEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => SYSTEM_NAMES.test(name)),
  );
}

/** For one of our roles: what the system needs, and the settings that the role reads. */
export function roleEnvironment(
  role: ProcessRole,
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const { given } = givenSettings(environment);
  const read = Object.entries(SETTINGS_TABLE).filter(([name, { readBy }]) => {
    const roles: readonly ProcessRole[] = readBy;
    return name in given && roles.includes(role);
  });
  const settings = Object.fromEntries(read.map(([name]) => [name, given[name]]));
  return { ...SMALL, ...systemEnvironment(environment), ...settings };
}
