import { Command } from 'commander';
import { type HistoricEvent, type History, readHistory } from '../../store/durable/histories.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { type Replay, replay } from '../durable/actors/replay.ts';
import { MACHINES } from '../machines.ts';
import { carried } from '../telemetry/scope.ts';
import { addPayment } from './agent-pay.ts';
import { withDatabase } from './database.ts';
import { endsFailed } from './exit-codes.ts';
import { addSuspension } from './suspend.ts';
import { wholeNumber } from './whole-number.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Flags = { json?: boolean; batches: number };

const BATCHES = 10;
const MOST_BATCHES = 100_000;

/**
 * `agent show|events|replay` show an operator what an actor did and why it is in its present state. `agent
 * suspend|reinstate` and `agent pay` act on it.
 */
export function agentCommand(env: Env): Command {
  const agent = new Command('agent')
    .description(
      'Look into an agent: mailbox, batches, effects, timers, its snapshot before and after each batch; suspend it.',
    )
    .addHelpText(
      'after',
      `
<handle> may also be the id of another actor, such as deal:deal_… or checkout:co_….
Where the service runs is read from DATABASE_URL, or found in DATA_DIR. What an actor served is kept for HISTORY_DAYS;
older batches are folded into a checkpoint, and of their events no more than id and type may be left.

Examples:
  npm run -s handshake -- agent show harbour-desk
  npm run -s handshake -- agent replay harbour-desk --json`,
    );
  const looking = (
    name: string,
    description: string,
    print: (view: ActorView, flags: Flags) => void,
  ): Command =>
    agent
      .command(`${name} <handle>`)
      .description(description)
      .option('--json', 'as JSON')
      .action(async (handle: string, flags: Flags) => print(await readView(env, handle), flags));
  const ofLatest = (command: Command): Command =>
    command.option(
      '--batches <n>',
      'how many of the latest batches are printed',
      wholeNumber(1, MOST_BATCHES),
      BATCHES,
    );
  ofLatest(looking('show', 'Print its state, what waits, and its latest batches.', show));
  looking('events', 'Print all that came into its mailbox, in the order in which it was served.', events);
  ofLatest(
    looking(
      'replay',
      'Go through its batches again, from its birth or its checkpoint; ends with code 1 if another state comes out.',
      again,
    ),
  );
  addSuspension(agent, env);
  addPayment(agent, env);
  return agent;
}

interface ActorView {
  readonly history: History;
  readonly replayed: Replay;
}

async function readView(env: Env, handle: string): Promise<ActorView> {
  const id = handle.includes(':') ? handle : `agent:${handle}`;
  const history = await withDatabase(readConfig(env), (db) => readHistory(db, id));
  if (!history)
    throw new StartError(`Nothing is kept of ${id}: "open agents" shows the agents that there are.`);
  const machine = MACHINES.find((m) => m.kind === history.actor.kind);
  if (!machine) throw new Error(`This release has no machine of kind "${history.actor.kind}".`);
  return { history, replayed: replay(machine, history) };
}

function show({ history, replayed }: ActorView, { json, batches }: Flags): void {
  const { actor, timers, effects } = history;
  const latest = replayed.batches.slice(-batches);
  const waiting = history.events.filter((e) => e.consumed_at === null);
  if (json) {
    const { says, verdict } = replayed;
    put({ actor, waiting, timers, effects, batches: latest, replay: { verdict, says } });
    return;
  }
  console.log(`${actor.id}  ${actor.status}, revision ${actor.revision}, snapshot version ${actor.version}`);
  console.log(`  state     ${stateOf(actor.snapshot)}`);
  console.log(`  since     ${actor.created_at.toISOString()}, last batch ${actor.updated_at.toISOString()}`);
  if (actor.fault !== null) console.log(`  fault     ${actor.fault} (${actor.failures} times)`);
  if (actor.next_batch_at !== null) console.log(`  held back until ${actor.next_batch_at.toISOString()}`);
  const deadLettered = waiting.filter((e) => e.dead_lettered_at !== null).length;
  console.log(
    `  mailbox   ${waiting.length - deadLettered} unserved, ${deadLettered} dead letters, ${history.events.length} in all`,
  );
  for (const e of waiting) console.log(`            ${told(e)}`);
  for (const t of timers)
    console.log(`  timer     ${t.event.type} due ${t.due_at.toISOString()} (${t.timer_id})`);
  for (const e of effects.filter((e) => e.status !== 'done'))
    console.log(`  effect    ${e.kind} ${e.status} after ${e.attempts} attempts (${e.key}) ${e.error ?? ''}`);
  console.log(`  effects   ${effects.filter((e) => e.status === 'done').length} done of ${effects.length}`);
  for (const t of latest) {
    const asked = t.asked.length > 0 ? `, asked for ${t.asked.join(', ')}` : '';
    const what = t.events.map((e) => e.event.type).join(', ');
    const [before, after] = [stateOf(t.before), stateOf(t.after)];
    console.log(
      `  batch ${String(t.batch).padEnd(5)}${t.at?.toISOString() ?? ''}  ${what}: ${before} → ${after}${asked}`,
    );
  }
  console.log(`  replay    ${replayed.verdict}: ${replayed.says}`);
}

function events({ history }: ActorView, { json }: Flags): void {
  if (json) put(history.events);
  else for (const e of history.events) console.log(`${e.created_at.toISOString()}  ${told(e)}`);
}

function again({ history, replayed }: ActorView, { json, batches }: Flags): void {
  const latest = replayed.batches.slice(-batches);
  if (replayed.verdict !== 'same') endsFailed();
  if (json) {
    put({ ...replayed, batches: latest, stands: history.actor.snapshot });
    return;
  }
  for (const { batch, events: of, before, after } of latest)
    console.log(
      `batch ${batch}  ${of.map((e) => e.event.type).join(', ')}\n  before  ${JSON.stringify(before)}\n  after   ${JSON.stringify(after)}`,
    );
  if (replayed.verdict !== 'same') console.log(`stands    ${JSON.stringify(history.actor.snapshot)}`);
  console.log(`${replayed.verdict}: ${replayed.says}`);
}

function told({ event, event_id, served_in, consumed_at, dead_lettered_at, fault }: HistoricEvent): string {
  const { type, ...rest } = carried(event).json;
  const where =
    served_in !== null
      ? `batch ${served_in}`
      : dead_lettered_at !== null
        ? `${consumed_at === null ? 'dead-lettered' : 'dropped'}: ${fault ?? ''}`
        : consumed_at === null
          ? 'waits'
          : 'served';
  return `${type}  ${where}  (${event_id})  ${JSON.stringify(rest)}`;
}

function stateOf(snapshot: unknown): string {
  const { value } = (snapshot ?? {}) as { value?: unknown };
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function put(value: unknown): void {
  console.log(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v), 2));
}
