import type { Change, Finding, Reading, ReadTransaction } from '../reading/reading.ts';
import { amountWords } from '../reading/values.ts';
import type { OriginJudgement } from './origin.ts';
import type { AssetChangeAnswer, DeterminationAnswer, SimulationAnswer } from './service.ts';

/** What the extension's window shows. All of it is shown as text. */
export interface View {
  readonly title: string;
  readonly host: string;
  readonly verdict: 'CLEAN' | 'FLAGGED' | 'NOT CHECKED';
  /** What the service saw happen where it tried it out, else what was read. */
  readonly changes: readonly Change[];
  /** What was read, where `changes` is what was seen: the one tells what the other does not. */
  readonly read: readonly Change[];
  readonly findings: readonly Finding[];
  /** What is signed, where it is text. */
  readonly text: string | null;
  readonly notChecked: readonly string[];
  /** True where nothing can be chosen: it was refused. */
  readonly final: boolean;
}

/** A determination of the service as the window shows it. */
export interface DeterminationWords {
  readonly verdict: View['verdict'];
  readonly findings: readonly Finding[];
  /** What the service saw happen; null where it could not try. */
  readonly changes: readonly Change[] | null;
  readonly notChecked: readonly string[];
}

/** What was asked about a request, and what came of it. */
export interface Asked {
  readonly listed: View['findings'];
  /** Why there is no determination, where it is text. */
  readonly bought: DeterminationAnswer | string | null;
  readonly described: string;
  /** How many requests the page makes at once. */
  readonly atOnce: number;
}

/** Shows a request. Clean is only what was read whole, came alone, and was tried out as its account would send it. */
export function viewOf(reading: Reading, origin: OriginJudgement, asked: Asked): View {
  const { listed, bought, described, atOnce } = asked;
  const trial = typeof reading.trial === 'string' ? null : reading.trial;
  const answered = typeof bought === 'object' && bought !== null ? determinationWords(bought, trial) : null;
  const gives = reading.changes.some(({ way }) => way !== 'in');
  const idle = answered?.changes?.length === 0;
  const seen = idle && !gives ? NOTHING : (answered?.changes ?? null);
  const findings = [...listed, ...(answered?.findings ?? []), ...reading.findings];
  const stops = findings.some(({ level }) => level === 'stop');
  const untried = answered !== null && typeof reading.trial === 'string' ? reading.trial : null;
  const alone = atOnce === 1;
  // Of what is only signed nothing is tried out: what was not read, or not asked about, nobody looked at.
  const signed = reading.trial === null;
  const others = signed && reading.parties.length > 1;
  const warned = signed && reading.findings.some(({ level }) => level === 'warn');
  const whole = reading.whole && reading.notChecked.length === 0 && !others && !warned;
  const asRead = !(idle && gives);
  const clean =
    answered?.verdict === 'CLEAN' &&
    origin.verdict === 'CLEAN' &&
    untried === null &&
    asRead &&
    alone &&
    whole;
  return {
    title: reading.title,
    host: origin.host,
    verdict: stops ? 'FLAGGED' : clean ? 'CLEAN' : 'NOT CHECKED',
    changes: seen ?? reading.changes,
    read: seen === null ? [] : reading.changes,
    findings,
    text: reading.text,
    notChecked: [
      ...(origin.verdict === 'CLEAN' ? [] : origin.reasons),
      ...(answered?.notChecked ?? []),
      ...(untried === null ? [] : [`${untried}; of those named, ${reading.subject} alone was asked about.`]),
      ...(asRead ? [] : ['It says that something leaves, and nothing did when the service tried it out.']),
      ...(answered === null ? [] : reading.notChecked),
      ...(answered !== null && others
        ? [`Of the ${reading.parties.length} whom it serves, ${reading.subject} alone was asked about.`]
        : []),
      ...(alone ? [] : [`It is one of ${atOnce} requests at once. What they do together was not tried out.`]),
      ...(typeof bought === 'string'
        ? [`What it does was read on this computer alone: ${bought}.`, described]
        : []),
    ],
    final: false,
  };
}

/**
 * A FLAGGED that nothing but open checks caused is shown as not checked; any other FLAGGED as malicious.
 * @param trial what it was asked to try out: an answer that tried out something else, or nothing, clears nothing
 */
export function determinationWords(
  answer: DeterminationAnswer,
  trial: ReadTransaction | null,
): DeterminationWords {
  const checks = answer.evidence?.checks ?? [];
  const flags = checks.filter(({ outcome }) => outcome === 'FLAG').map(({ detail }) => String(detail));
  const open = checks.filter(({ outcome }) => outcome === 'INCONCLUSIVE').map(({ detail }) => String(detail));
  const unchecked = answer.verdict === 'FLAGGED' && flags.length === 0 && open.length > 0;
  const stops = answer.verdict !== 'CLEAN' && !unchecked;
  const reasons = flags.length > 0 ? flags : answer.reasons.map(String);
  const { simulation } = answer;
  const fault = trial === null ? null : faultOf(simulation, trial);
  return {
    verdict: stops ? 'FLAGGED' : unchecked || fault !== null ? 'NOT CHECKED' : 'CLEAN',
    findings: stops ? reasons.map((text) => ({ level: 'stop', text })) : [],
    changes: trial !== null && fault === null ? changesOf(simulation!, answer.assetChanges ?? []) : null,
    notChecked: [...(unchecked ? open : []), ...(fault === null ? [] : [fault])],
  };
}

/** Why what the service tried out is not this transaction of this account; null where it is. */
function faultOf(simulation: SimulationAnswer | undefined, { from }: ReadTransaction): string | null {
  if (simulation === undefined) return 'The service did not try it out.';
  if (simulation.assumedSender !== false || simulation.from.toLowerCase() !== from)
    return 'The service tried it out for another account than the one that sends it.';
  return simulation.outcome === 'success' ? null : `The service could not try it out: ${simulation.reason}.`;
}

const NOTHING: readonly Change[] = [
  { way: 'in', text: 'nothing, and nothing leaves, when the service tried it out.' },
];

/** What the sender gains and loses, and what anybody else loses: a Safe's owner sends what the Safe pays. */
function changesOf(seen: SimulationAnswer, moved: readonly AssetChangeAnswer[]): Change[] {
  const { from, approvals, ownerChanges = [] } = seen;
  const isSender = ({ role }: AssetChangeAnswer) => role === 'sender';
  const others = moved.filter((change) => !isSender(change) && change.delta.startsWith('-'));
  return [
    ...moved.filter(isSender).map(changeWords),
    ...others.map((c): Change => ({ way: 'other', text: `${changeWords(c).text}, of ${c.party}` })),
    ...approvals
      .filter(({ owner, amount }) => owner === from || amount !== '0')
      .map((approval) => approvalWords(approval, from)),
    ...ownerChanges.map(({ contract, event, to }): Change => {
      return { way: 'allow', text: `${to ?? 'somebody else'} decides over ${contract} (${event}).` };
    }),
  ];
}

function approvalWords(given: SimulationAnswer['approvals'][number], from: string): Change {
  const { owner, spender, token, amount, unlimited } = given;
  const what = `${unlimited ? 'any amount' : amountWords(BigInt(amount))} of ${token}`;
  return {
    way: 'allow',
    text: `${spender} may take ${what}${owner === from ? '' : `, of ${owner}`}.`,
  };
}

function changeWords({ asset, delta }: AssetChangeAnswer): Change {
  const leaves = delta.startsWith('-');
  const amount = delta.replace('-', '');
  const decimals = asset.decimals ?? (asset.kind === 'native' ? 18 : null);
  const units = decimals === null ? `${amount} units` : decimal(amount, decimals);
  const token = asset.tokenId === null ? '' : `token ${asset.tokenId} `;
  const what =
    asset.kind === 'native' ? 'of the chain’s own coin' : `${asset.symbol ?? ''} ${token}(${asset.token})`;
  return { way: leaves ? 'out' : 'in', text: `${units} ${what}` };
}

function decimal(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || rest === '' ? whole : `${whole}.${rest}`;
}
