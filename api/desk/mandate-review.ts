import type { OnInconclusive } from '../../agents/deal/effect.ts';
import { sentences } from '../../agents/mandate/terms/describe.ts';
import { type OpenChoice, openChoice } from '../../agents/mandate/terms/open-choice.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { App, Request } from '../http/app.ts';
import { ask } from './ask.ts';
import { at } from './command.ts';

/** What an agent may do at present: in its owner's words, and as it is enforced. */
export interface Terms {
  readonly text: string;
  readonly sentences: readonly string[];
  readonly owner: string;
}

/** @returns null when there is no such agent, or it cannot be read now */
export async function termsOf(app: App, request: Request, handle: string): Promise<Terms | null> {
  const { status, body } = await ask(app, request, { method: 'GET', path: `/agent/${at(handle)}` });
  const mandate = body.mandate as { text: string; structured: Mandate } | undefined;
  if (status !== 200 || mandate === undefined) return null;
  return {
    text: mandate.text,
    sentences: sentences(mandate.structured),
    owner: String(body.owner),
  };
}

/** What the owner has left open for new terms; nothing where the settings cannot be read now. */
export async function openIn(
  app: App,
  request: Request,
  owner: string,
  next: Mandate,
): Promise<OpenChoice | null> {
  const { status, body } = await ask(app, request, { method: 'GET', path: `/settings/${at(owner)}` });
  if (status !== 200) return null;
  const { chosen, onInconclusive } = body as { chosen: readonly string[]; onInconclusive: OnInconclusive };
  return openChoice(next, chosen.includes('onInconclusive') ? onInconclusive : null);
}
