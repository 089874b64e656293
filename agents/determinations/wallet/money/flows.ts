import type { Behaviour } from '../behaviour/behaviour-form.ts';

/** What an address is known as, and how money that passes through it is followed. */
export const LABELS = ['exchange', 'bridge', 'mixer', 'burn', 'lender'] as const;
export type Label = (typeof LABELS)[number];

export function isLabel(text: unknown): text is Label {
  return (LABELS as readonly unknown[]).includes(text);
}

/** What one address moved to or from another one; addresses in lower case, amounts decimal. */
export interface FlowParty {
  readonly address: string;
  /** Micro-dollars, over all dollar tokens. */
  readonly usd: string;
  /** Of the native currency, in wei. */
  readonly native: string;
  readonly transfers: number;
  /** The time of the latest transfer, ISO 8601. */
  readonly last: string;
}

/** What came in to an address, or went out of it, by counterparty. */
export interface Flows {
  readonly of: string;
  readonly way: 'in' | 'out';
  /** The sums over all counterparties, including those that are left out. */
  readonly usd: string;
  readonly native: string;
  /** Those with whom the most value moved, the largest first. */
  readonly parties: readonly FlowParty[];
  /** How many counterparties are left out. */
  readonly others: number;
  /**
   * There is more above dust than was looked at, of somebody whom money was followed to. Absent where there is not, of the
   * address itself (`cutOff` tells of it), and in evidence of earlier releases.
   */
  readonly cut?: true;
}

/** Where money came to an address for the first time, above dust. */
export interface FirstFunder {
  readonly address: string;
  readonly tx: string;
  readonly block: string;
}

/** Who put the contract on the chain that stands at the address. */
export interface Deployer {
  readonly address: string;
  /** The transaction and its block, where they are known. */
  readonly tx: string | null;
  readonly block: string | null;
  /** Whether the chain shows it; else the source alone says so. */
  readonly shown: boolean;
}

/** Of a source that lists everything: what the address moved of the native currency, to be held against the chain. */
export interface NativeSum {
  /** What came in less what went out, without fees; in wei. */
  readonly net: string;
  /** How many transactions it sent. */
  readonly sent: number;
}

/** What is known of the transfers of the address on one chain, and of those with whom it dealt. */
export interface TransferHistory {
  /** CAIP-2. */
  readonly chain: string;
  /** Where it is from: this service's own index, or an explorer. */
  readonly source: string;
  /** The blocks that the source covers; null when it covers none. */
  readonly fromBlock: string | null;
  readonly toBlock: string | null;
  /** Why there may be more than is listed; null when all of it is. */
  readonly cutOff: string | null;
  /**
   * The source lists so few movements of the address itself that worthless ones, which cost next to nothing, can push
   * the others out. Absent where it lists everything, of the index, which takes what is above dust first, and in evidence
   * of earlier releases.
   */
  readonly partial?: true;
  /** Why a source that is configured could not be read; null when it was. */
  readonly fault: string | null;
  /** The address itself and whom its money was followed to, up to `hops` away. */
  readonly hops: number;
  readonly flows: readonly Flows[];
  readonly first: FirstFunder | null;
  /** Absent where no source tells of it. */
  readonly deployer?: Deployer;
  /** For each dollar token, what came in less what went out, in its smallest unit; null when not all is listed. */
  readonly nets: readonly { readonly token: string; readonly net: string }[] | null;
  /** Absent of the index, whose rows both readers told alike, and where not all is listed. */
  readonly native?: NativeSum;
  /** What it did with the native currency, in numbers; absent where single transfers are not listed. */
  readonly behaviour?: Behaviour;
  /** Less than this of the native currency is dust. */
  readonly nativeDust: string;
  /**
   * Those who got dust or nothing from the address, and dealt with nothing more: of whom they had dealt with in earnest
   * before, the ones that look like the address. Absent where nobody looked; evidence of earlier releases then has none,
   * and knows neither who sent the dust nor when.
   */
  readonly poisoned?: readonly Poisoned[];
  /** How many more got dust than were looked at. Absent where there are none, and in evidence of earlier releases. */
  readonly moreDusted?: number;
}

/** Somebody who got dust of an address that looks like one with whom they deal. */
export interface Poisoned {
  readonly of: string;
  readonly addresses: readonly string[];
  /**
   * Nothing at all moved, and no transaction of the address itself is known that says so: a token lets anybody move
   * nothing in anybody's name. Absent where it is known who did.
   */
  readonly unproven?: true;
}

/** A party of any flow that a list names. */
export interface ListedFlow {
  readonly key: string;
  readonly list: string;
  /** ISO 8601: since when, where the list itself says so. */
  readonly since?: string;
}

/** All that was gathered of transfers, at one moment. */
export interface Transfers {
  readonly histories: readonly TransferHistory[];
  readonly listed: readonly ListedFlow[];
  /** One an address. Its list is absent in evidence of earlier releases. */
  readonly labels: readonly { readonly key: string; readonly label: Label; readonly list?: string }[];
  /** The lists that say what any of these addresses is known as. Absent in evidence of earlier releases. */
  readonly labelLists?: readonly LabelList[];
}

export interface LabelList {
  readonly name: string;
  /** ISO 8601; null: nobody says as of when it holds. */
  readonly asOf: string | null;
  /** Whether its labels may excuse: undated, or too old, it only says who mixes. */
  readonly excuses: boolean;
}

/** A transfer of money that one seat read, after the end of the history. */
export interface TailTransfer {
  readonly from: string;
  readonly to: string;
  /** Lower case; null for the native currency. */
  readonly token: string | null;
  /** In the token's smallest unit. */
  readonly amount: string;
  /** Micro-dollars; 0 for the native currency. */
  readonly usd: string;
  readonly block: string;
}

/** What one seat read itself: the latest transfers, and the balances that history must add up to. */
export interface Tail {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly transfers: readonly TailTransfer[];
  /** Blocks in which the native currency was not looked at, because they are too many to be read one by one. */
  readonly unreadNative?: { readonly fromBlock: string; readonly toBlock: string };
  readonly balances: readonly { readonly token: string; readonly held: string }[];
}

/** Less than a dollar is dust: anybody may send it to anybody. */
export const DUST_USD = 1_000_000n;

/** The history with what a seat read after its end. The flows of others are left as they are. */
export function withTail(
  history: TransferHistory,
  tail: Tail | null | undefined,
  who: string,
  at: string,
): Flows[] {
  const own = (way: Flows['way']): Flows => {
    const held = history.flows.find((f) => f.of === who && f.way === way);
    const flows = held ?? { of: who, way, usd: '0', native: '0', parties: [], others: 0 };
    const mine = (tail?.transfers ?? []).filter(
      (t) => (way === 'in' ? t.to : t.from) === who && t.from !== t.to,
    );
    return mine.reduce((sum, t) => added(sum, way === 'in' ? t.from : t.to, t, at), flows);
  };
  return [own('in'), own('out'), ...history.flows.filter((f) => f.of !== who)];
}

function added(flows: Flows, address: string, { token, amount, usd }: TailTransfer, at: string): Flows {
  const native = token === null ? amount : '0';
  const before = flows.parties.find((p) => p.address === address);
  const known = before ?? { address, usd: '0', native: '0', transfers: 0, last: at };
  const now = {
    ...known,
    ...{ usd: sum(known.usd, usd), native: sum(known.native, native) },
    ...{ transfers: known.transfers + 1, last: at },
  };
  const others = flows.parties.filter((p) => p.address !== address);
  return {
    ...flows,
    ...{ usd: sum(flows.usd, usd), native: sum(flows.native, native) },
    parties: [...others, now],
  };
}

function sum(a: string, b: string): string {
  return (BigInt(a) + BigInt(b)).toString();
}

/** Every address of these flows and tails that is not the address itself: the lists are searched for them. */
export function flowParties(histories: readonly TransferHistory[], tails: readonly Tail[]): string[] {
  const flows = histories.flatMap((h) => h.flows.flatMap((f) => [f.of, ...f.parties.map((p) => p.address)]));
  const first = histories.flatMap(({ first: f, deployer }) => [f, deployer].flatMap((o) => o?.address ?? []));
  const latest = tails.flatMap((t) => t.transfers.flatMap(({ from, to }) => [from, to]));
  return [...new Set([...flows, ...first, ...latest])].sort();
}
