import type { Hex } from '../../agents/canonical.ts';

/** What leaves, arrives, or may be taken later, in words that a person reads before going on. */
export interface Change {
  readonly way: 'out' | 'in' | 'allow';
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

/** What one request would do, as far as it can be read without asking anybody. */
export interface Reading {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  /** Every address that occurs anywhere in it, in lower case. */
  readonly addresses: readonly string[];
  /** Whom the service is asked about: who gets, who may take, or what is called. */
  readonly subject: Hex | null;
  readonly chainId: number | null;
  readonly transactions: readonly ReadTransaction[];
  /**
   * The one transaction that the service can try out as it will be sent, or why it can try out nothing; null for what
   * sends nothing.
   */
  readonly trial: ReadTransaction | string | null;
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
  subject: Hex | null = null;
  whole = true;

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
  /** The first that is named is whom the service is asked about; who may take goes before who is called. */
  about(address: Hex): void {
    this.subject ??= address;
  }
}
