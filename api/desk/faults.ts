import type { FieldError } from '../../agents/errors.ts';
import type { Form } from '../plugins/forms.ts';
import type { DeskAct } from './act.ts';

/** In which field of a form stands what the interface calls so. */
const STANDS_IN: Readonly<Record<string, (typed: Form) => string>> = {
  asset: (typed) => (typed.serial ? 'serial' : 'contract'),
  subject: (typed) => (typed.serial ? 'serial' : 'contract'),
  lotRef: () => 'listingRef',
};

/** What the interface found wrong with a request, each at the field of the form that it came from. */
export function faults(act: DeskAct, typed: Form, body: Readonly<Record<string, unknown>>): FieldError[] {
  const questions = (body.questions as { question: string }[] | undefined) ?? [];
  const errors = (body.errors as FieldError[] | undefined) ?? [];
  const said = [
    ...questions.map(({ question }) => ({ path: 'mandate', message: question })),
    ...errors.map(({ path, message }) => {
      const name = fieldOf(act, typed, path);
      return name === undefined
        ? { path: '', message: `${path}: ${message}` }
        : { path: name, message: inWords(message) };
    }),
  ];
  // What is sent in several places is wrong in all of them, and typed once.
  const once = new Map(said.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return once.size > 0 ? [...once.values()] : [{ path: '', message: String(body.detail) }];
}

/** `asset.serial` and `add[2]` stand in the fields `serial` and `add`. */
function fieldOf(act: DeskAct, typed: Form, path: string): string | undefined {
  const shown = new Set(act.fields.map((f) => f.name));
  const parts = path.split(/[.[\]]/);
  const meant = parts.map((part) => STANDS_IN[part]?.(typed) ?? '');
  return [...parts, ...meant].find((name) => shown.has(name));
}

/** What a pattern means, for those who read no patterns. */
function inWords(message: string): string {
  return message.replace(/^must (?:match \S+|be a number or a string) \((.+)\)$/, 'must be $1');
}
