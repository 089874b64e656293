import type { Hex } from '../../agents/canonical.ts';
import { readAddress } from './values.ts';

/** What leaves, arrives, or may be taken later, in words that a person reads before going on. */
export interface Change {
  /** `other`: it leaves an account that is not the one that sends. */
  readonly way: 'out' | 'in' | 'allow' | 'other';
  readonly text: string;
}

/** Something a person must know. `stop`: nobody means to do this, so it is stopped unless they chose to be asked. */
export interface Finding {
  readonly level: 'stop' | 'warn' | 'note';
  readonly text: string;
}

/** A transaction as the service takes it. */
export interface ReadTransaction {
  readonly to: Hex;
  readonly data?: Hex;
  /** Decimal, in wei. */
  readonly value?: string;
  readonly from?: Hex;
}

/** What a signature lets others do, as the transaction by which the account would allow or do the same. */
export interface Power {
  readonly transaction: ReadTransaction;
  /** Who may take by it; null where the transaction itself is what is signed. */
  readonly spender: Hex | null;
}

/** What one request would do, as far as it can be read without asking anybody. */
export interface Reading {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  /** Every address that occurs anywhere in it, in lower case. */
  readonly addresses: readonly string[];
  /** Whom the service is asked about: who gets, who may take, or what is called. */
  readonly subject: Hex | null;
  /** Everybody who gets something or may take it; where nothing is tried out, the service is asked about one of them. */
  readonly parties: readonly Hex[];
  readonly chainId: number | null;
  readonly transactions: readonly ReadTransaction[];
  /**
   * The one transaction that the service can try out as it will be sent, or why it can try out nothing; null for what
   * sends nothing.
   */
  readonly trial: ReadTransaction | string | null;
  /** Each power that a signature gives, or why it cannot be tried out; none for what sends. */
  readonly powers: readonly (Power | string)[];
  /** False where a part of it could not be read: what was read is not all that it does. */
  readonly whole: boolean;
  /** What nobody can check about it, in words. With any of it, it is never Clean. */
  readonly notChecked: readonly string[];
  /** What it says in plain text, where it does. */
  readonly text: string | null;
}

export class ReadingNotes {
  readonly changes: Change[] = [];
  readonly findings: Finding[] = [];
  readonly notChecked: string[] = [];
  readonly parties: Hex[] = [];
  readonly powers: (Power | string)[] = [];
  whole = true;
  private contract: Hex | null = null;

  out(text: string): void {
    this.changes.push({ way: 'out', text });
  }
  arrives(text: string): void {
    this.changes.push({ way: 'in', text });
  }
  allow(text: string): void {
    this.changes.push({ way: 'allow', text });
  }
  stop(text: string): void {
    this.findings.push({ level: 'stop', text });
  }
  warn(text: string): void {
    this.findings.push({ level: 'warn', text });
  }
  /** A part of it that nobody read. */
  unread(text: string): void {
    this.warn(text);
    this.whole = false;
  }
  note(text: string): void {
    this.findings.push({ level: 'note', text });
  }
  unchecked(text: string): void {
    if (!this.notChecked.includes(text)) this.notChecked.push(text);
  }
  /** A page may put a provider of its own before the wallet, which says what it likes. */
  chainUnnamed(chainId: number | null): void {
    this.notChecked.push(`It names no chain. That the wallet is on chain ${chainId} is the page’s word.`);
  }
  /** What it allows, as it can be tried out. */
  power(power: Power | string): void {
    this.powers.push(power);
  }
  /** The first that is named is whom the service is asked about; who may take goes before who is called. */
  about(address: Hex): void {
    if (!this.parties.includes(address)) this.parties.push(address);
  }
  /** Whom the service is asked about where nobody gets anything. */
  called(address: Hex): void {
    this.contract ??= address;
  }
  get subject(): Hex | null {
    return this.parties[0] ?? this.contract;
  }
}

const NOBODY = `0x${'0'.repeat(40)}`;

/** Notes whoever stands there as one who gets something; nobody for what is no address, or the zero one. */
export function aboutIn(notes: ReadingNotes, value: unknown): void {
  const found = readAddress(value);
  if (found !== null && found !== NOBODY) notes.about(found);
}
