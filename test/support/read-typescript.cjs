// Makes a worker thread of a test load the TypeScript sources. Programs run compiled code instead.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

const COMPILER = {
  swcrc: false,
  configFile: false,
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
};

require.extensions['.ts'] = (module, file) => {
  const { code } = transformSync(readFileSync(file, 'utf8'), { ...COMPILER, filename: file });
  module._compile(code, file);
};
