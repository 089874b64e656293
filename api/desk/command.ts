import { CATEGORIES } from '../../agents/categories.ts';
import type { FieldError } from '../../agents/errors.ts';
import { HOME_CHAIN } from '../../runtime/services.ts';
import { categoryName } from '../html/components.ts';
import type { Form } from '../http/forms.ts';
import { FIELDS, type FieldWords, UNCHOSEN } from '../words/desk/fields.ts';

/** A field of a command's form, with the name that the API gives it. */
export interface DeskField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /**
   * The kind of input: several lines, a code such as an address, an amount, a day, several codes, or several of
   * `options`; a line of text when left out.
   */
  readonly kind?: 'area' | 'code' | 'money' | 'day' | 'codes' | 'several';
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly optional?: boolean;
  /** A chain to ask about: its options are the chains that the service reads. */
  readonly askedChain?: true;
  /** Fields of one part are shown together under its title. */
  readonly part?: FieldPart;
  /** What a page can fill in by itself: the connected wallet, or one of its agents. */
  readonly know?: 'wallet' | 'agent';
}

interface FieldPart {
  readonly title: string;
  readonly hint: string;
}

/** One request to the public API. */
export interface DeskRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Something an owner can do: a form, and the API request that is made from what was typed. */
export interface DeskCommand {
  readonly id: string;
  readonly title: string;
  /** Its first sentence is also shown on the desk. */
  readonly lead: string;
  readonly fields: readonly DeskField[];
  readonly button: string;
  readonly done: string;
  /**
   * What authorises it: a signature when left out, or a payment by card or from the wallet; `nothing` for what is open
   * to everybody.
   */
  readonly by?: 'card' | 'usdc' | 'nothing';
  /** What it says from now counts from `readAt`: its pages carry it, and its form has no field for it. */
  readonly dated?: true;
  /** It reads a list in pages, each of which is signed for. The form has no field for `cursor`. */
  readonly paged?: true;
  /** Shows the prices below the form. Without it, only the page to be signed shows the price. */
  readonly priced?: 'tiers';
  /** What happens once it is signed, shown where it is signed. */
  readonly next?: string;
  /** The text that is shown while a paid answer is worked on. */
  readonly waiting?: string;
  /** Finds what the API would accept but a person would not want. It is shown at the fields, and no request is made. */
  lacks?(typed: Form): FieldError[];
  /** What will follow, shown on the page where it is signed. */
  foretold?(typed: Form): readonly (readonly [what: string, lines: readonly string[]])[];
  request(typed: Form): DeskRequest;
  /** The path that takes the signature which a contract checks. @param version of the mandate, when there is one */
  confirm?(typed: Form, version: string): string;
  /** What that second signature says, in words. */
  again?(typed: Form): string;
}

/** Commands that belong together. */
export interface DeskGroup {
  readonly title: string;
  readonly commands: readonly DeskCommand[];
}

/** Encodes what was typed as one segment of a path. */
export const at = (part: string | undefined): string => encodeURIComponent(part ?? '');

/** A field with what it says. */
export function field(
  name: string,
  { options, ...said }: FieldWords,
  rest: Omit<DeskField, 'name' | keyof FieldWords> = {},
): DeskField {
  return { name, ...said, ...rest, ...(options && { options: Object.entries(options) }) };
}

export const handle = field('handle', FIELDS.handle, { kind: 'code', know: 'agent' });
export const wallet = field('wallet', FIELDS.wallet, { kind: 'code', know: 'wallet' });
export const category: DeskField = {
  ...field('category', FIELDS.category),
  options: [['', UNCHOSEN], ...CATEGORIES.map((c) => [c, categoryName(c)] as const)],
};

/** The path of a list, continued from the cursor when there is one. */
export const from = (path: string, { cursor }: Form): string =>
  cursor ? `${path}?cursor=${at(cursor)}` : path;
/** Only the fields that were filled in. */
export const given = (typed: Form, ...names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (typed[name] ? [[name, typed[name]]] : [])));
/** Splits a field that takes several codes. */
export const codesOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
/** The asset that was typed, by its serial or by its token. */
export const thing = (typed: Form) =>
  typed.serial
    ? given(typed, 'serial', 'serialKind')
    : { chainId: HOME_CHAIN, ...given(typed, 'contract', 'tokenId') };
