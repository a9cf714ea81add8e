/** Checks changed sources with the compiler, without writing them. */
import { join } from 'node:path';
import { API, type Program } from 'typescript/unstable/sync';
import { type Changes, ROOT, readChanged } from './recipe';

/** Path of a configuration file that exists only in memory. */
const CONFIG = join(ROOT, 'test', 'recipes', 'tsconfig.json');

interface Variant {
  readonly changes: Changes;
  readonly checked: readonly string[];
}

/** Returns, for each variant, which of its checked files have errors. Checks no other files. */
export function findTypeErrors(variants: readonly Variant[]): readonly (readonly string[])[] {
  const config = {
    // The options of the dashboard also suit the code of the service.
    extends: join(ROOT, 'src', 'dashboard', 'tsconfig.json'),
    compilerOptions: { incremental: false, tsBuildInfoFile: null, types: ['node', 'vite/client'] },
    files: listPaths(variants.flatMap(({ checked }) => checked)),
    include: [],
  };
  const texts = new Map([[CONFIG, JSON.stringify(config)]]);
  const api = new API({ cwd: ROOT, fs: { readFile: (path) => texts.get(path) } });
  const changed = variants.flatMap(({ changes }) => Object.keys(changes));
  const fileChanges = { changed: listPaths(changed) };
  const findErrors = ({ changes, checked }: Variant) => {
    for (const path of changed) texts.set(join(ROOT, path), readChanged(path, changes));
    const snapshot = api.updateSnapshot({ openProjects: [CONFIG], fileChanges });
    const program = snapshot.getProject(CONFIG)?.program;
    return checked.filter((path) => hasErrors(program, join(ROOT, path)));
  };
  try {
    return variants.map(findErrors);
  } finally {
    api.close();
  }
}

function listPaths(paths: readonly string[]): string[] {
  return [...new Set(paths)].map((path) => join(ROOT, path));
}

function hasErrors(program: Program | undefined, file: string): boolean {
  if (program?.getSourceFile(file) === undefined) throw new Error(`The compiler lacks ${file}.`);
  return program.getSemanticDiagnostics(file).length > 0;
}
