/** A JSON schema, as `/openapi.json` has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One operation of the interface description, as far as a tool needs it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the body; null where it takes none. */
  readonly body: ObjectSchema | null;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: JsonSchema;
  }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: ObjectSchema }>> };
}

/**
 * Reads the operations of an interface description (OpenAPI 3.1) by their ids. Headers are left out: tools set them.
 * @param description what `/openapi.json` serves
 */
export function operationsOf(description: unknown): ReadonlyMap<string, Operation> {
  const { paths = {} } = description as { paths?: Record<string, Record<string, Described>> };
  const found = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(paths)) {
    // Behind a base address, anything else could name another host.
    if (!path.startsWith('/')) continue;
    for (const [method, described] of Object.entries(methods)) {
      if ((method !== 'get' && method !== 'post') || described.operationId === undefined) continue;
      found.set(described.operationId, {
        id: described.operationId,
        method: method === 'get' ? 'GET' : 'POST',
        path,
        parameters: parametersOf(described),
        body: described.requestBody?.content?.['application/json']?.schema ?? null,
      });
    }
  }
  return found;
}

function parametersOf({ parameters = [] }: Described): Parameter[] {
  return parameters.flatMap(({ name, in: place, required, description, schema }) =>
    place === 'path' || place === 'query'
      ? [
          {
            name,
            in: place,
            required: required === true,
            schema: { ...(description === undefined ? {} : { description }), ...schema },
          },
        ]
      : [],
  );
}
