import type { Html } from '../../html/html.ts';
import type { Form } from '../../http/forms.ts';

/** The API's answer; its route's schema describes it. */
export type Answer = Readonly<Record<string, unknown>>;

/** Shows the answer of one command. Each takes another answer, so no common type fits them all. */
export type Shown = (body: never, typed: Form) => Html;

/**
 * Passes an answer to the function that shows it. The command selects the function, and the schema of the route has
 * checked the answer's shape, which the types cannot express. This is the only cast of this kind in `api/`.
 */
export function showAnswer(shown: Shown, body: Answer, typed: Form): Html {
  return shown(body as never, typed);
}
