import { CATEGORIES } from '../../agents/categories.ts';
import type { FieldError } from '../../agents/errors.ts';
import { HOME_CHAIN } from '../../runtime/services.ts';
import type { Form } from '../plugins/forms.ts';

/** A field of an act's form, named as the interface names it. */
export interface DeskField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /**
   * Several lines, a code such as an address, an amount, a day, several codes; plain words when left out. Wherever a code
   * is chosen from a few, or several of a few are, there are options.
   */
  readonly kind?: 'area' | 'code' | 'money' | 'day' | 'codes' | 'several';
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly optional?: boolean;
  /** Fields of one part stand together, under its title. */
  readonly part?: FieldPart;
}

export interface FieldPart {
  readonly title: string;
  readonly hint: string;
}

/** One request of the public interface. */
export interface DeskRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An act of an owner: a form, and the request it makes of what was typed. */
export interface DeskAct {
  readonly id: string;
  readonly title: string;
  /** Its first sentence stands on the desk, too. */
  readonly lead: string;
  readonly fields: readonly DeskField[];
  /** What the button says. */
  readonly button: string;
  /** What is said when it is done. */
  readonly done: string;
  /** What makes it count: a signature when left out, or a payment by card or from the wallet; `nothing` for what everybody may ask. */
  readonly by?: 'card' | 'usdc' | 'nothing';
  /** What it reads comes in pages, each signed for by itself: `cursor` is typed by nobody. */
  readonly paged?: true;
  /** Its prices stand below the form; without it, the page that is signed tells the price alone. */
  readonly priced?: 'tiers';
  /** What is said while a paid answer is worked on. */
  readonly waiting?: string;
  /** What the interface would take, and a person would not want: told at the fields, nothing is asked. */
  lacks?(typed: Form): FieldError[];
  /** What will come of it, told where it is signed. */
  foretold?(typed: Form): readonly (readonly [what: string, lines: readonly string[]])[];
  request(typed: Form): DeskRequest;
  /** Where the signature goes that a contract checks. @param version of the mandate, where it is about one */
  confirm?(typed: Form, version: string): string;
}

/** Acts that belong together. */
export interface DeskGroup {
  readonly title: string;
  readonly acts: readonly DeskAct[];
}

/** A part of a path, whatever was typed. */
export const at = (part: string | undefined): string => encodeURIComponent(part ?? '');
export const handle: DeskField = { name: 'handle', label: 'Agent’s handle', kind: 'code' };
export const wallet: DeskField = { name: 'wallet', label: 'Your wallet', kind: 'code' };
export const category: DeskField = {
  name: 'category',
  label: 'Category',
  options: CATEGORIES.map((c) => [c, c] as const),
};
/** A list, from where the page before it ended. */
export const from = (path: string, { cursor }: Form): string =>
  cursor ? `${path}?cursor=${at(cursor)}` : path;
/** Only what was filled in. */
export const given = (typed: Form, ...names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (typed[name] ? [[name, typed[name]]] : [])));
/** The codes of a field that takes several. */
export const codesOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
/** The thing that was typed: by its serial, or by its token. */
export const thing = (typed: Form) =>
  typed.serial
    ? given(typed, 'serial', 'serialKind')
    : { chainId: HOME_CHAIN, ...given(typed, 'contract', 'tokenId') };
