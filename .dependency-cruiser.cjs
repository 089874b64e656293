/** The rooms and the one direction imports may point: api → runtime → (chain, store) → agents. */
const only = (name, from, forbidden, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: forbidden },
});

module.exports = {
  forbidden: [
    only(
      'agents-import-nobody',
      '^agents/',
      '^(runtime|api|chain|store|test)/',
      'the pure core knows no edge',
    ),
    {
      name: 'agents-stay-pure',
      severity: 'error',
      comment: 'no I/O, clock or randomness: only these libraries compute without touching the world',
      from: { path: '^agents/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: 'node_modules/(xstate|typebox|@noble/hashes|@adraffy/ens-normalize)/',
      },
    },
    only(
      'chain-below-runtime',
      '^chain/',
      '^(runtime|api|store|test)/',
      'chain and store do not know each other',
    ),
    only(
      'store-below-runtime',
      '^store/',
      '^(runtime|api|chain|test)/',
      'chain and store do not know each other',
    ),
    only(
      'runtime-below-api',
      '^runtime/(?!main\\.ts)',
      '^(api|test)/',
      'only the composition root may import api',
    ),
    only('main-not-test', '^runtime/main\\.ts', '^test/', 'tests import the program, never the reverse'),
    only('api-not-test', '^api/', '^test/', 'tests import the program, never the reverse'),
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
