import type { FieldError } from '../../agents/errors.ts';
import type { Form } from '../http/forms.ts';
import type { DeskCommand } from './command.ts';

/** The form's field for each name that the API uses in its errors. */
const STANDS_IN: Readonly<Record<string, (typed: Form) => string>> = {
  asset: (typed) => (typed.serial ? 'serial' : 'contract'),
  subject: (typed) => (typed.serial ? 'serial' : 'contract'),
  lotRef: () => 'listingRef',
};

/** Puts each error of the API at the form's field that caused it. */
export function faults(
  command: DeskCommand,
  typed: Form,
  body: Readonly<Record<string, unknown>>,
): FieldError[] {
  const questions = (body.questions as { question: string }[] | undefined) ?? [];
  const errors = (body.errors as FieldError[] | undefined) ?? [];
  const said = [
    ...questions.map(({ question }) => ({ path: 'mandate', message: question })),
    ...errors.map(({ path, message }) => {
      const name = fieldOf(command, typed, path);
      return name === undefined
        ? { path: '', message: `${path}: ${message}` }
        : { path: name, message: inWords(message) };
    }),
  ];
  // A value that is sent in several places has several equal errors, but was typed once.
  const once = new Map(said.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return once.size > 0 ? [...once.values()] : [{ path: '', message: String(body.detail) }];
}

/** Finds the fields `serial` and `add` for the paths `asset.serial` and `add[2]`. */
function fieldOf(command: DeskCommand, typed: Form, path: string): string | undefined {
  const shown = new Set(command.fields.map((f) => f.name));
  const parts = path.split(/[.[\]]/);
  const meant = parts.map((part) => STANDS_IN[part]?.(typed) ?? '');
  return [...parts, ...meant].find((name) => shown.has(name));
}

/** Replaces the pattern in an error by its meaning, for people who read no patterns. */
function inWords(message: string): string {
  return message.replace(/^must match \S+ \((.+)\)$/, 'must be $1');
}
