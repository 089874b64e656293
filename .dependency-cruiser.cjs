/** The rooms and the one direction imports may point: api → runtime → (chain, store) → agents. */
const only = (name, from, forbidden, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: forbidden },
});

const FEATURE =
  '(agent|certificates|chain-sync|checkout|deal|determinations|http|market|names|payments|records|registers|webhooks)';

module.exports = {
  forbidden: [
    only(
      'agents-import-nobody',
      '^agents/',
      '^(client|runtime|api|chain|store|test)/',
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
      'client-needs-no-service',
      '^client/',
      '^(runtime|api|chain|store|test)/',
      "strangers' programs load it: only what is pure may come along",
    ),
    {
      name: 'client-runs-in-browsers',
      severity: 'error',
      comment: 'nothing of Node; only the bridge of a process to the service reads its streams',
      from: { path: '^client/', pathNot: '\\.test\\.ts$|^client/mcp/stdio\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'guard-and-verify-stay-small',
      severity: 'error',
      comment: 'they judge payments, and make none',
      from: { path: '^client/(guard|verify)(/|\\.ts$)', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/@x402/' },
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
      '^runtime/(?!(main|mcp-process)\\.ts)',
      '^(api|test)/',
      'only the composition roots of the service and of its tools may import api',
    ),
    only('main-not-test', '^runtime/main\\.ts', '^test/', 'tests import the program, never the reverse'),
    only('api-not-test', '^api/', '^test/', 'tests import the program, never the reverse'),
    only(
      'extension-beside-the-service',
      '^extension/',
      '^(runtime|api|chain|store|test)/',
      'what runs in browsers shares the pure core and nothing of the service',
    ),
    only(
      'service-without-extension',
      '^(agents|runtime|api|chain|store)/',
      '^extension/',
      'the service does not know it',
    ),
    only(
      'page-half-stands-alone',
      '^extension/page/',
      '^(agents/|extension/(?!page/|methods\\.ts))',
      'what a page can reach knows nothing that decides',
    ),
    only(
      'durable-knows-no-feature',
      '^runtime/durable/(?!.*\\.test\\.ts$)',
      '^runtime/(?!durable/|telemetry/)',
      'the durable mechanism serves every feature and knows none',
    ),
    only(
      'stored-durable-knows-no-feature',
      '^store/durable/',
      `^store/${FEATURE}/`,
      'the durable mechanism serves every feature and knows none',
    ),
    {
      name: 'features-meet-in-public',
      severity: 'error',
      comment: 'what a feature offers the others stands in its public.ts',
      from: { path: `^runtime/${FEATURE}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^runtime/${FEATURE}/`, pathNot: '^runtime/($1/|[^/]+/public\\.ts$)' },
    },
    only(
      'commands-are-given-the-starter',
      '^runtime/cli/',
      '^runtime/(main|worker-process|mcp-process|app-container|handshake)\\.ts$',
      'a command that starts nothing loads no service; handshake.ts passes in what starts one',
    ),
    {
      name: 'one-composition-root',
      severity: 'error',
      comment: 'only the starts of the two processes put the parts together',
      from: {
        path: '^(agents|runtime|api|chain|store)/',
        pathNot: '^runtime/(main|worker-process)(\\.test)?\\.ts$',
      },
      to: { path: '^runtime/app-container\\.ts$' },
    },
    only(
      'reading-a-chain-stands-below',
      '^chain/rpc/',
      '^chain/(?!rpc/|abi/)',
      'readers know nothing of the contracts, transactions and deployments built on them',
    ),
    {
      name: 'readers-share-no-code-for-values',
      severity: 'error',
      comment:
        'two readings of one fact do not share a fault: what both may use decides about failures alone',
      from: { path: '^chain/rpc/(viem|ethers)/' },
      to: { path: '^chain/rpc/(viem|ethers)/', pathNot: '^chain/rpc/$1/' },
    },
    {
      name: 'readers-keep-to-their-library',
      severity: 'error',
      comment: 'nothing of the other library runs',
      from: { path: '^chain/rpc/ethers/' },
      to: { path: 'node_modules/viem/' },
    },
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
