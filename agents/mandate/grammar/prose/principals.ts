import type { Known } from '../lexicon/lexicon.ts';
import type { Token } from '../tokens.ts';
import { endsSentence } from './segments.ts';

type PhraseAt = (at: number) => Known | null;

/** Who may write a mandate, in a word. Sellers, buyers and dealers are others. */
const ROLES = new Set(
  `company corporation firm trust trustee trustees executor executors executrix administrator administrators
  representatives partnership partners board committee council directorate directors fund foundation charity society
  estate office cooperative club agency institute guardians undersigned owner principal client settlor group business
  department team family association treasurer school museum university bank insurer studio hospital`.split(
    /\s+/,
  ),
);
/** Words in front of one. */
const KINDS = new Set(
  `personal family investment finance purchasing procurement management executive legal surviving joint present managing
  said charitable whole parent holding art acquisitions`.split(/\s+/),
);
/** What ends the name of a firm. */
const FORMS = new Set(
  'inc ltd llc llp plc gmbh limited corp corporation company co sa bv ag nv oy ab srl'.split(' '),
);
const DIRECTS =
  /^(?:instruct|direct|authoriz|authoris|empower|appoint|permit|request|ask|requir|task|engag|charg|command|mandat)(?:e|es|s)?$/;
const WISHES = /^(?:wish|desire|intend|seek|propose|plan|want|aim|look)(?:s|es)?$/;
const SETS = /^(?:fixes|sets|limits|allows|fix|set|limit|allow|grants|allots)$/;
const NEEDS = /^(?:requires|require|needs|need|seeks)$/;
const ADVERBS = new Set('hereby accordingly therefore duly now also thus formally'.split(' '));
const MODALS = new Set(['will', 'shall', 'does', 'do', 'would', 'is', 'has', 'have', 'are']);
/** Roles that others have as well: of them nothing is dropped but what they direct or wish. */
const OTHERS = new Set(
  'client bank group business school museum university hospital studio insurer agency institute'.split(' '),
);
/** What a principal does by a verb of the mandate, and no asking or approving. */
const ACTS = new Set(
  'not pay spend buy purchase acquire sell commit accept be bound never invest no dispose offer lay at in fixed set'.split(
    ' ',
  ),
);
const AGENTS = new Set(['the', 'this', 'its', 'our', 'my', 'their', 'said', 'his', 'her', 'an']);
const LONGEST_NAME = 8;

/** The words of a principal, and of what it directs, that say nothing but who writes. */
export interface Principal {
  /** How many tokens are dropped. */
  readonly length: number;
  /** True where what it does is to need goods, and the goods come next. */
  readonly needs: boolean;
  /** What it is called, when that is a role. */
  readonly role: string | null;
}

/**
 * "The trustees will", "Tremont Fleet Services hereby directs its agent to", "Delaney Marine Supply requires": who
 * writes, in front of what is to be done. A name counts only where it directs or wishes; of others nothing is dropped.
 */
export function principalAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): Principal | null {
  if (!begins(tokens, at)) return null;
  const writer = writerAt(tokens, at, phraseAt);
  if (writer !== null) return writer;
  const subject = roleAt(tokens, at) ?? nameAt(tokens, at, phraseAt);
  if (subject === null) return null;
  const { role } = subject;
  let end = subject.end;
  while (ADVERBS.has(tokens[end]?.key ?? '')) end++;
  const verb = tokens[end]?.key ?? '';
  const to = (length: number, needs = false): Principal => ({ length: length - at, needs, role });
  if (DIRECTS.test(verb)) {
    const agent = agentBehind(tokens, end + 1);
    if (agent !== null) return to(agent);
    if (/^(?:authori|permit|direct)/.test(verb) && phraseAt(end + 1)?.meaning.kind === 'VERB')
      return to(end + 1);
    if (/^the$/.test(tokens[end + 1]?.key ?? '') && phraseAt(end + 2)?.meaning.kind === 'VERB')
      return to(end + 2);
    if (role !== null && tokens[end + 1]?.key === 'that') return to(end + 1);
  }
  if (WISHES.test(verb) && tokens[end + 1]?.key === 'to' && trades(phraseAt, end + 2)) return to(end + 2);
  if (NEEDS.test(verb) && goodsAt(tokens, phraseAt, end + 1)) return to(end + 1, true);
  if (role === null || OTHERS.has(role)) return null;
  const next = tokens[end + 1]?.key ?? '';
  // "The company will buy our wine": then it is somebody else.
  if (['our', 'my'].some((own) => [2, 3].some((i) => tokens[end + i]?.key === own))) return null;
  if (SETS.test(verb) || (MODALS.has(verb) && ACTS.has(next))) return to(subject.end);
  return null;
}

/** "I require refurbished laptops", "I, the treasurer of the club, direct that". */
function writerAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): Principal | null {
  const key = tokens[at]?.key;
  if (key !== 'i' && key !== 'we') return null;
  const next = tokens[at + 1]?.key ?? '';
  if (next === 'require' && goodsAt(tokens, phraseAt, at + 2) && phraseAt(at + 2) === null)
    return { length: 2, needs: true, role: null };
  if (next !== ',' || !['the', 'as', 'being'].includes(tokens[at + 2]?.key ?? '')) return null;
  let end = at + 3;
  while (end < at + 14 && /^[\p{L}]/u.test(tokens[end]?.text ?? '')) end++;
  if (tokens[end]?.key !== ',' || !DIRECTS.test(tokens[end + 1]?.key ?? '')) return null;
  const agent = agentBehind(tokens, end + 2);
  const that = tokens[end + 2]?.key === 'that' ? end + 3 : null;
  const to = agent ?? that;
  return to === null ? null : { length: to - at, needs: false, role: null };
}

function begins(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.key ?? '';
  return at === 0 || endsSentence(tokens, at - 1) || [',', 'and', 'but', 'that', ';', ':'].includes(before);
}

/** "The trustees", "our investment committee", "the Finance Directorate of Kestrel Broadcasting". */
function roleAt(tokens: readonly Token[], from: number): { end: number; role: string } | null {
  let at = from;
  if (!['the', 'our', 'my'].includes(tokens[at]?.key ?? '')) return null;
  at++;
  for (let kinds = 0; kinds < 2 && KINDS.has(tokens[at]?.key ?? ''); kinds++) at++;
  const role = tokens[at]?.key ?? '';
  if (!ROLES.has(role)) return null;
  at++;
  const named = tokens[at]?.key === 'of' ? nameEnd(tokens, at + 1) : null;
  return { end: named ?? at, role };
}

/** "Brightwater Hotels", "Pell & Ashcombe Architects", "Halvorsen Logistics Inc." */
function nameAt(
  tokens: readonly Token[],
  from: number,
  phraseAt: PhraseAt,
): { end: number; role: null } | null {
  const start = tokens[from]?.key === 'the' ? from + 1 : from;
  const first = phraseAt(start);
  if (first !== null && !['CATEGORY', 'TERM', 'MODIFIER'].includes(first.meaning.kind)) return null;
  const end = nameEnd(tokens, start);
  return end !== null && end - start > 1 ? { end, role: null } : null;
}

/** The place behind words that begin with capitals; null where there is none. */
function nameEnd(tokens: readonly Token[], from: number): number | null {
  let at = from;
  while (at < from + LONGEST_NAME) {
    const { key, text, kind } = tokens[at] ?? { key: '', text: '', kind: 'symbol' };
    if (kind === 'word' && /^\p{Lu}/u.test(text)) at++;
    else if (['&', 'of', 'and'].includes(key) && at > from && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? ''))
      at++;
    else break;
  }
  if (at === from) return null;
  const point = tokens[at]?.key === '.' && FORMS.has(tokens[at - 1]!.key) && !endsSentence(tokens, at);
  return point ? at + 1 : at;
}

/** The place behind "its agent to", "this agent to". */
function agentBehind(tokens: readonly Token[], from: number): number | null {
  let at = tokens[from]?.key === 'that' ? from + 1 : from;
  if (tokens[at]?.key === 'you' || tokens[at]?.key === 'it')
    return tokens[at + 1]?.key === 'to' ? at + 2 : null;
  while (AGENTS.has(tokens[at]?.key ?? '')) at++;
  if (tokens[at]?.key !== 'agent' || at === from) return null;
  return tokens[at + 1]?.key === 'to' ? at + 2 : null;
}

function trades(phraseAt: PhraseAt, at: number): boolean {
  const known = phraseAt(at)?.meaning;
  return known?.kind === 'VERB' && known.value !== 'spend';
}

/** True where goods may begin, known or not, and neither a check nor an approval. */
function goodsAt(tokens: readonly Token[], phraseAt: PhraseAt, at: number): boolean {
  const known = phraseAt(at)?.meaning.kind;
  if (known !== undefined) return ['CATEGORY', 'MODIFIER', 'ITEM'].includes(known);
  return tokens[at]?.kind === 'word';
}

/** "Of the trustees" behind an approval, where the trustees are who writes: how many tokens, 0 where it is not so. */
export function ownApproval(tokens: readonly Token[], at: number, roles: ReadonlySet<string>): number {
  if (!['of', 'by', 'from'].includes(tokens[at]?.key ?? '')) return 0;
  const role = roleAt(tokens, at + 1);
  return role !== null && roles.has(role.role) ? role.end - at : 0;
}

/** "On behalf of Sable Ridge Productions", "for the account of the trustees": for whom; 0 where nothing of it stands. */
export function beneficiaryAt(tokens: readonly Token[], at: number): number {
  const led = [0, 1, 2, 3].map((i) => tokens[at + i]?.key ?? '');
  const [one, two, three, four] = led;
  const length =
    one === 'on' && two === 'behalf' && three === 'of'
      ? 3
      : (one === 'for' || one === 'on') &&
          two === 'the' &&
          (three === 'account' || three === 'benefit') &&
          four === 'of'
        ? 4
        : one === 'acting' && two === 'for'
          ? 2
          : one === 'for' &&
              (three === 'trustees' || three === 'trust' || three === 'estate' || three === 'company')
            ? 1
            : 0;
  if (length === 0) return legalName(tokens, at);
  const end = roleAt(tokens, at + length)?.end ?? nameEnd(tokens, at + length);
  return end === null || /^(?:who|which|that|whose)$/.test(tokens[end]?.key ?? '') ? 0 : end - at;
}

/** "For Orrin Legal LLP": a name that only a firm has. */
function legalName(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.key !== 'for') return 0;
  const end = nameEnd(tokens, at + 1);
  if (end === null) return 0;
  const last = tokens[end - 1]!.key === '.' ? tokens[end - 2]! : tokens[end - 1]!;
  return end - at > 2 && FORMS.has(last.key) ? end - at : 0;
}
