import type { Reasoner } from './reasoner.ts';
import type { Restater } from './restate.ts';
import type { ReasoningSettings } from './settings.ts';

/**
 * Creates a seat for each model, and a restater of mandates from the first. The client library is loaded only when it
 * is used.
 */
export async function openModels(
  settings: ReasoningSettings | null,
): Promise<{ readonly reasoners: readonly Reasoner[]; readonly restater: Restater | null }> {
  const [first] = settings?.models ?? [];
  if (settings === null || first === undefined) return { reasoners: [], restater: null };
  const [{ modelSeat }, { modelRestater }] = await Promise.all([
    import('./model-seat.ts'),
    import('./restate.ts'),
  ]);
  return {
    reasoners: settings.models.map((model) => modelSeat({ ...settings, model })),
    restater: modelRestater({ ...settings, model: first }),
  };
}
