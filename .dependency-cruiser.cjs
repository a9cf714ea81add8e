// The import rules of docs/architecture.md: who may import whom.
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { pathNot: [from, ...allowed] },
});
const never = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from,
  to,
});
const npm = (pattern) => `node_modules/${pattern}`;

/**
 * Files of src/kinds: every process may load KIND_SHAPES, only the dashboard loads KIND_FORMS, and only probes load
 * KIND_RUNS.
 */
const KIND_SHAPES =
  '^src/kinds/(bodies|fields|sent-fields|step-fields|steps|allow-references|response-fields|shapes|monitor-types|url|words|[a-z]+/(?:shape|server))\\.ts$';
const KIND_FORMS = '^src/kinds/(form|inputs|[a-z]+/form)\\.ts$';
const KIND_RUNS =
  '^src/kinds/(outcome|extract|fill-in|probing|run-step|runners|start-tls|match-text|signal|judge|[a-z]+/(?!shape|server|form)[a-z-]+)\\.ts$';

module.exports = {
  forbidden: [
    only(
      'domain-imports-shapes-only',
      '^src/domain/',
      ['^src/contracts/'],
      'Rules are pure: no packages, no node, only shapes.',
    ),
    only('contracts-import-nothing', '^src/contracts/', [], 'Names and shapes only.'),
    only(
      'schemas-import-domain',
      '^src/schemas/',
      [
        '^src/domain/',
        '^src/contracts/',
        '^src/notify/channels/',
        KIND_SHAPES,
        npm('zod'),
        npm('ipaddr'),
        npm('tldts'),
        npm('re2js'),
        npm('croner'),
      ],
      'Schemas see zod, the rules, and the fields of alert channels.',
    ),
    only(
      'formats-read-text-only',
      '^src/formats/',
      ['^src/contracts/', '^src/domain/(text|templates)/', '^src/schemas/loose', npm('yaml')],
      'Readers of files, for the command line and the dashboard.',
    ),
    only(
      'workflows-stay-deterministic',
      '^src/workflows/',
      ['^src/domain/', '^src/contracts/', npm('@temporalio/(workflow|common)')],
      'Nothing else enters the bundle.',
    ),
    only(
      'services-see-no-engine',
      '^src/services/',
      [
        '^src/domain/',
        '^src/contracts/',
        '^src/schemas/',
        '^src/platform/',
        '^src/models/',
        KIND_SHAPES,
        '^src/notify/(channels/|letters/|sender|sample-alerts|acknowledge-link|template)',
        '^src/text/text-task',
        npm('(zod|tldts|rrule-temporal|temporal-polyfill|temporal-spec|temporal-utils)'),
        '^(node:)?crypto$',
      ],
      'Use cases get stores and a gateway.',
    ),
    only(
      'database-stands-alone',
      '^src/embedded/database/',
      [npm(''), '^(node:)?[a-z_/]+$'],
      'The embedded database knows nothing of Keepwatch.',
    ),
    only(
      'cli-speaks-http-only',
      '^src/cli/',
      [
        '^src/formats/',
        '^src/contracts/',
        '^src/domain/',
        KIND_SHAPES,
        '^src/schemas/',
        '^src/mcp/',
        '^src/config/child-environment',
        '^src/platform/(version|time-limit)',
        npm(
          '(@babel/parser|@modelcontextprotocol/sdk|commander|tldts|undici|yaml|zod|junit-report-builder)',
        ),
        '^(node:)?[a-z_/]+$',
      ],
      'The command line knows of the service what a user knows: shapes and rules of definitions, and HTTP.',
    ),
    only(
      'tools-ask-v1-only',
      '^src/mcp/',
      ['^src/schemas/', npm('(@modelcontextprotocol/sdk|zod)'), '^(node:)?crypto$'],
      'What tools of assistants may do is decided by /v1.',
    ),
    only(
      'demo-speaks-http-only',
      '^src/demo/',
      ['^src/schemas/scenario-example', npm('zod'), '^(node:)?[a-z_/]+$'],
      'The demo knows of the service what a user knows.',
    ),
    only(
      'shapes-of-kinds-send-nothing',
      KIND_SHAPES,
      ['^src/schemas/', '^src/domain/', '^src/contracts/', npm('zod')],
      'The service, the command line and the dashboard load them.',
    ),
    never(
      'kinds-are-edited-in-the-dashboard',
      { path: '^src/', pathNot: KIND_FORMS },
      { path: KIND_FORMS },
      'How a kind is edited concerns nobody else.',
    ),
    never(
      'kinds-run-in-probes',
      { path: '^src/', pathNot: [KIND_RUNS, '^src/main/serve-region\\.ts$'] },
      { path: KIND_RUNS },
      'What a kind of check does on the wire, it does in a probe.',
    ),
    never(
      'checks-see-no-engine',
      { path: ['^src/checks/', KIND_RUNS] },
      {
        path: '^src/(models|temporal|services|api|workflows|activities|main|embedded|config)/|node_modules/(mongoose|mongodb|@temporalio)',
      },
      'A check knows the wire only.',
    ),
    only(
      'channels-send-nothing',
      '^src/notify/channels/',
      [
        '^src/domain/',
        '^src/contracts/',
        '^src/notify/(post|event|sample-alerts|words|alert-links)',
        npm('zod'),
        '^(node:)?crypto$',
      ],
      'A type of channel describes what is sent; it sends nothing.',
    ),
    never(
      'api-sees-services-and-schemas',
      { path: '^src/api/' },
      { path: '^src/(workflows|activities|checks|main|embedded|temporal|config)/' },
      'Routers call services.',
    ),
    never(
      'models-see-no-use-case',
      { path: '^src/models/' },
      {
        path: '^src/(services|api|workflows|activities|temporal|main|checks|notify|embedded|config)/',
      },
      'The database serves; it decides nothing.',
    ),
    never(
      'mongoose-in-models',
      { path: '^src/', pathNot: '^src/(models|embedded/database)/' },
      { path: 'node_modules/(mongoose|mongodb)/' },
      'Mongoose lives in one folder.',
    ),
    never(
      'undici-in-checks',
      {
        path: '^src/',
        pathNot: '^src/(checks|notify|activities/internal-api-client|cli/proxied-fetch)',
      },
      { path: 'node_modules/undici/' },
      'HTTP clients live where requests are sent.',
    ),
    never(
      'temporal-in-its-folders',
      { path: '^src/', pathNot: '^src/(temporal|workflows|activities|main|embedded)/' },
      { path: 'node_modules/@temporalio/' },
      'The engine lives behind the gateway.',
    ),
    only(
      'text-knows-no-origin',
      '^src/text/',
      [
        '^src/domain/',
        '^src/contracts/',
        npm('(@cfworker/json-schema|jsonpath-plus|liquidjs|markdown-it|re2js)'),
        '^(node:)?worker_threads$',
      ],
      'Work on text of others knows neither where the text is from nor what becomes of it.',
    ),
    never(
      'foreign-engines-in-worker-threads',
      {
        path: '^src/',
        pathNot: [
          '^src/text/',
          // Parses patterns to validate them, within a budget for each body. Never runs a pattern.
          '^src/schemas/patterns\\.ts$',
          // Renders only the documents that are part of the installation.
          '^src/api/pages/documents/render-document\\.ts$',
          // The input is bounded: five short fields, and at most 50 due times.
          '^src/schemas/cron-times\\.ts$',
          // The input is bounded: a rule of limited length, and at most 4,000 periods.
          '^src/services/maintenance/occurrences\\.ts$',
        ],
      },
      {
        path: '^src/domain/secrets/create-redactor|node_modules/(@cfworker/json-schema|croner|jsonpath-plus|liquidjs|markdown-it|re2js|rrule-temporal)/',
      },
      'What others wrote may make these slow: they run in the pool of worker threads.',
    ),
    never(
      'nobody-imports-surface',
      { path: '^src/', pathNot: '^src/surface/' },
      { path: '^src/surface/' },
      'It describes the others, for the comparison with the last release.',
    ),
    never(
      'nobody-imports-main',
      { path: '^src/', pathNot: '^src/main/' },
      { path: '^src/main/' },
      'Composition roots are the top.',
    ),
    {
      name: 'rooms-go-one-way',
      severity: 'error',
      comment: 'Two rooms of a layer never need each other.',
      scope: 'folder',
      from: { path: '^src/(services|models|api|domain|workflows)/' },
      to: { circular: true },
    },
    never('no-cycles', {}, { circular: true }, 'Imports go one way.'),
    never(
      'no-test-in-src',
      { path: '^src/' },
      { path: '^test/' },
      'The product never needs the tests.',
    ),
    never(
      'no-dev-dependency',
      { path: '^src/', pathNot: '^src/dashboard/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
      'What runs is a runtime dependency.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // dependency-cruiser reads no TSX. test/architecture checks the import rules of the dashboard.
    exclude: { path: '^dist/|^src/dashboard/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
