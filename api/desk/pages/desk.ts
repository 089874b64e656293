import type { Pricing } from '../../../agents/market/pricing/prices.ts';
import { document, waysOn } from '../../html/components.ts';
import { choiceField, hiddenFields, problemSummary, severalField, textField } from '../../html/fields.ts';
import { type Html, html, segment } from '../../html/html.ts';
import { page } from '../../html/layout.ts';
import type { Form } from '../../http/forms.ts';
import { ACT } from '../../words/acts.ts';
import { WORDS } from '../../words/every-page.ts';
import type { DeskCommand, DeskField } from '../command.ts';
import type { Outcome } from '../outcomes.ts';
import { tierPrices } from './desk-prices.ts';
import { called } from './desk-sign.ts';

/** Why a command was refused, in the API's words. */
export interface DeskProblem {
  readonly title: string;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
  /** Where what is in the way stands; nothing when left out. */
  readonly ways?: readonly (readonly [to: string, words: string])[];
}

const PLACE = '/dashboard';

/** The query that carries the agent and the wallet from page to page. */
function backQuery(typed: Form): string {
  const kept = ['handle', 'wallet'].flatMap((name) => (typed[name] ? [[name, typed[name]]] : []));
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
}

/** The page with a command's form. @param prices shown below the form when the command asks for them */
export function commandPage(
  command: DeskCommand,
  typed: Form,
  problem: DeskProblem | null = null,
  prices: Pricing | null = null,
): Html {
  const labels = new Map(command.fields.map((f) => [f.name, called(f)]));
  const lines = problem?.fields.map(({ path, message }) => {
    const named = labels.get(path);
    return { path, message: named === undefined ? message : `${named}: ${message}` };
  });
  const body = html`<p class="way"><a href="/dashboard${backQuery(typed)}">${ACT.dashboard}</a></p>
<h1>${command.title}</h1>
<p class="lead">${command.lead}</p>
${problem && problemSummary(problem.title, lines ?? [])}${problem?.ways && waysOn(...problem.ways)}
<form class="sheet" action="/desk/${command.id}" method="post">
${parted(command.fields).map((fields) => part(fields, typed, problem))}
<button>${command.button}</button>
</form>
<p class="soft">${ACT.next[command.by ?? 'signature']}</p>
${command.priced && prices && tierPrices(prices)}`;
  return page(problem === null ? command.title : ACT.wrong(command.title), body, PLACE);
}

/** Groups neighbouring fields of one part. */
function parted(fields: readonly DeskField[]): readonly (readonly DeskField[])[] {
  const parts: DeskField[][] = [];
  for (const field of fields) {
    const last = parts.at(-1);
    if (last !== undefined && field.part !== undefined && last[0]?.part === field.part) last.push(field);
    else parts.push([field]);
  }
  return parts;
}

function part(fields: readonly DeskField[], typed: Form, problem: DeskProblem | null): Html {
  const controls = html`${fields.map((field) => control(field, typed, problem))}`;
  const [first] = fields;
  if (first?.part === undefined) return controls;
  const { title, hint } = first.part;
  return html`<fieldset class="part" aria-describedby="with-${first.name}"><legend>${title}</legend><p class="hint" id="with-${first.name}">${hint}</p>
${controls}</fieldset>`;
}

function control(field: DeskField, typed: Form, problem: DeskProblem | null): Html {
  const { name, label, hint, kind, options } = field;
  const value = typed[name] ?? '';
  const common = { name, label, hint, value, problem: problem?.fields.find((f) => f.path === name)?.message };
  if (options !== undefined)
    return kind === 'several' ? severalField({ ...common, options }) : choiceField({ ...common, options });
  return textField({
    ...common,
    rows: kind === 'area' || kind === 'codes' ? 4 : undefined,
    code: kind === 'code' || kind === 'codes',
    inputMode: kind === 'money' ? 'decimal' : undefined,
    day: kind === 'day',
    know: field.know,
    required: !field.optional,
  });
}

/** Buttons for the other pages of a list; each page is signed for. */
function pagesOf(command: DeskCommand, { cursor, ...typed }: Form, answer: unknown): Html {
  const { next } = answer as { readonly next?: string };
  const to = (place: Form, words: string) =>
    html`<form action="/desk/${command.id}" method="post">${hiddenFields({ ...typed, ...place })}<button class="second">${words}</button></form>`;
  if (cursor === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="${WORDS.pages}">${cursor !== undefined && to({}, WORDS.newest)}${next !== undefined && to({ cursor: next }, WORDS.older)}</nav>
<p class="soft">${ACT.eachSigned}</p>`;
}

/** The page for a paid answer that is not there yet. @param why the service held it up; null while the work goes on */
export function againPage(
  command: DeskCommand,
  carried: Readonly<Record<string, string>>,
  why: string | null,
): Html {
  const title = why === null ? ACT.again.atWork : ACT.again.unanswered;
  const body = html`<p class="way"><a href="/dashboard">${ACT.dashboard}</a></p>
<h1>${title}</h1>
<p class="lead" role="status">${why ?? ACT.again.long}</p>
<form class="sheet" action="/desk/${command.id}" method="post">
${hiddenFields(carried)}
<button>${ACT.again.look}</button>
</form>
<p class="soft">${ACT.again.once}</p>`;
  return page(`${title}: ${command.title}`, body, PLACE);
}

/** The page with a command's result. @param shown replaces the plain JSON @param outcome derived from the answer */
export function donePage(
  command: DeskCommand,
  typed: Form,
  answer: unknown,
  shown: Html | null,
  outcome: Outcome | null = null,
): Html {
  const back = backQuery(typed);
  // Answers that were paid for are there to be read, so they keep the command's title instead of "Done".
  const isRead = command.by === 'usdc' || command.request(typed).method === 'GET';
  const bare = document(answer, ACT.answer);
  const body = html`<p class="way"><a href="/dashboard${back}">${ACT.dashboard}</a></p>
<h1>${isRead ? command.title : ACT.done}</h1>
<p class="lead" role="status">${outcome?.said ?? command.done}</p>
${outcome?.ways && waysOn(...outcome.ways)}
${shown ?? (outcome === null ? bare : html`<details><summary>${ACT.answerInFull}</summary>${bare}</details>`)}
${command.paged && pagesOf(command, typed, answer)}
<p class="acts"><a class="button" href="/dashboard${back}">${ACT.toDashboard}</a>${typed.handle && html` <a class="button second" href="/agent/${segment(typed.handle)}">${ACT.see(typed.handle)}</a>`}</p>`;
  return page(isRead ? command.title : ACT.doneOf(command.title), body, PLACE);
}
