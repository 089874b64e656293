/** One word, or two that follow each other, that no identifier and no file name may have. */
export interface Term {
  /** In camel case; matched as whole words, so that `bell` is found in `openBellQueue` and not in `label`. */
  readonly term: string;
  readonly instead: string;
  /** Only files whose path begins so are checked: elsewhere the word has its everyday meaning. */
  readonly only?: readonly string[];
  /** Files whose path begins so are not checked. */
  readonly except?: readonly string[];
  /** The identifier is the term and nothing more: as a part of a longer one it has its everyday meaning. */
  readonly whole?: boolean;
}

const DURABLE = ['runtime/durable/', 'store/durable/'];
/** The machine by which the durable mechanism is tested carries parcels. */
const TEST_MACHINE = ['test/'];

/** Names that only this code used, each with the field's term for it. Columns of the database keep their names. */
export const LEFT_COLUMN: readonly Term[] = [
  { term: 'backRoom', instead: 'app container' },
  { term: 'frontDoor', instead: 'HTTP server' },
  { term: 'bell', instead: 'notifier, wake queue' },
  { term: 'ring', instead: 'wake, enqueue', only: DURABLE },
  { term: 'rings', instead: 'wake, enqueue', only: DURABLE },
  { term: 'turn', instead: 'mailbox batch', only: [...DURABLE, 'runtime/cli/', 'runtime/telemetry/'] },
  { term: 'turns', instead: 'mailbox batches', only: [...DURABLE, 'runtime/cli/', 'runtime/telemetry/'] },
  { term: 'lot', instead: 'batch', only: DURABLE },
  { term: 'lots', instead: 'batches', only: DURABLE },
  { term: 'together', instead: 'createBatcher', only: [...DURABLE, 'chain/rpc/'], whole: true },
  { term: 'recollection', instead: 'actor cache' },
  { term: 'hands', instead: 'prefetched jobs', only: DURABLE },
  { term: 'outboxBook', instead: 'job store' },
  { term: 'book', instead: 'job store', only: DURABLE },
  { term: 'holdings', instead: 'in-flight jobs', only: DURABLE },
  { term: 'crew', instead: 'worker pool' },
  { term: 'keeper', instead: 'leader' },
  { term: 'rounds', instead: 'periodic tasks', only: DURABLE },
  { term: 'duty', instead: 'advisory lock' },
  { term: 'beat', instead: 'heartbeat', only: DURABLE },
  { term: 'leave', instead: 'deregister', only: DURABLE },
  { term: 'pace', instead: 'rate limit' },
  { term: 'takePlace', instead: 'acquireToken' },
  { term: 'tend', instead: 'rebroadcastPending' },
  { term: 'nonceBook', instead: 'nonce store' },
  { term: 'seal', instead: 'secret box', except: ['api/agent/portrait'] },
  { term: 'courier', instead: 'webhook dispatcher', except: TEST_MACHINE },
  { term: 'news', instead: 'notification', except: TEST_MACHINE },
  { term: 'standBeforeOrder', instead: 'readOrderSnapshot' },
  { term: 'restLooked', instead: 'writeOrder' },
  {
    term: 'behind',
    instead: 'beneficial owner, principals',
    only: ['agents/', 'chain/', 'store/', 'runtime/market/', 'runtime/webhooks/', 'api/webhooks/'],
    whole: true,
  },
  { term: 'holds', instead: 'suspension reasons', only: ['agents/agent/', 'store/agent/', 'runtime/agent/'] },
  // The answers of the desk are by the last part of the API's path, and one path ends in /acts.
  { term: 'acts', instead: 'commands', only: ['api/desk/'], except: ['api/desk/pages/desk-answers'] },
  { term: 'survey', instead: 'evaluateMarket' },
  { term: 'purse', instead: 'budget' },
  { term: 'hear', instead: 'askModels', whole: true },
  { term: 'tightened', instead: 'applyModelVeto' },
  { term: 'givenOut', instead: 'challenge cache' },
  { term: 'parked', instead: 'dead letter' },
  { term: 'deaths', instead: 'crash count' },
  { term: 'depthSeat', instead: 'seat' },
  { term: 'depthSeats', instead: 'panel' },
];
