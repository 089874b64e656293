import { MOST_MODELS } from '../../../agents/determinations/panel/panel.ts';

/** Language models behind one OpenAI-compatible endpoint. */
export interface ReasoningSettings {
  readonly apiKey: string;
  /** Null: OpenAI's own endpoint. */
  readonly baseUrl: string | null;
  /** The first model joins a seat with the rules, the second one with the statistics. */
  readonly models: readonly string[];
  readonly timeoutMs: number;
}

interface Given {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly models: string | null;
  readonly timeoutSeconds: number;
}

/**
 * @param wrong makes the error for a setting, from its name and the remedy
 * @returns null when no model is configured
 */
export function readReasoning(
  { apiKey, baseUrl, models, timeoutSeconds }: Given,
  wrong: (name: string, remedy: string) => Error,
): ReasoningSettings | null {
  if (models === null) {
    if (apiKey !== null || baseUrl !== null)
      throw wrong('OPENAI_MODELS', 'it is needed when OPENAI_API_KEY or OPENAI_BASE_URL is set');
    return null;
  }
  const names = models.split(',').map((name) => name.trim());
  if (names.length > MOST_MODELS || names.some((name) => !/^[\w.:/@-]{1,100}$/.test(name)))
    throw wrong('OPENAI_MODELS', 'it takes the name of one model, or of two separated by a comma');
  if (apiKey === null && baseUrl === null)
    throw wrong('OPENAI_API_KEY', 'it is needed for models that OpenAI runs');
  // A private server may require no key, but the client must be given one.
  return { apiKey: apiKey ?? 'none', baseUrl, models: names, timeoutMs: timeoutSeconds * 1000 };
}
