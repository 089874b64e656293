/** An error in the form of the Stripe API: `{ error: { type, code, message, param } }`. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly status: number;
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly declineCode: string | undefined;

  constructor(
    status: number,
    type: WireError['type'],
    message: string,
    extra: { code?: string; param?: string; declineCode?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = extra.code;
    this.param = extra.param;
    this.declineCode = extra.declineCode;
  }

  body(): object {
    return {
      error: {
        type: this.type,
        message: this.message,
        ...(this.code === undefined ? {} : { code: this.code }),
        ...(this.param === undefined ? {} : { param: this.param }),
        ...(this.declineCode === undefined ? {} : { decline_code: this.declineCode }),
      },
    };
  }
}

/** The error for a parameter that is missing or wrong. */
export function badParam(param: string, message: string, code = 'parameter_invalid_empty'): WireError {
  return new WireError(400, 'invalid_request_error', message, { param, code });
}

export function missing(what: string, id: string): WireError {
  return new WireError(404, 'invalid_request_error', `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param: 'id',
  });
}
