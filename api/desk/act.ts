import { CATEGORIES } from '../../agents/categories.ts';
import type { Form } from '../plugins/forms.ts';

/** A field of an act's form, named as the interface names it. */
export interface DeskField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Several lines, a code such as an address, an amount, one of a few; plain words when left out. */
  readonly kind?: 'area' | 'code' | 'money';
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly optional?: boolean;
}

/** One request of the public interface. */
export interface DeskRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An act that an owner signs for: a form, and the request it makes of what was typed. */
export interface DeskAct {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly fields: readonly DeskField[];
  /** What the button says. */
  readonly button: string;
  /** What is said when it is done. */
  readonly done: string;
  request(typed: Form): DeskRequest;
}

/** A part of a path, whatever was typed. */
export const at = (part: string | undefined): string => encodeURIComponent(part ?? '');
export const handle: DeskField = { name: 'handle', label: 'Agent’s handle', kind: 'code' };
export const category: DeskField = {
  name: 'category',
  label: 'Category',
  options: CATEGORIES.map((c) => [c, c] as const),
};
/** Only what was filled in. */
export const given = (typed: Form, ...names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (typed[name] ? [[name, typed[name]]] : [])));
