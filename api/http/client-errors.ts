import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, badField } from '../../agents/errors.ts';
import { problemBody } from './errors.ts';
import { securityHeaders } from './headers.ts';

/**
 * How many bytes the headers of a request may have: the longest signature that a payment may carry is 20 kB in its
 * header.
 */
export const HEADER_LIMIT = 32_768;

/** Answers what never becomes a request, because Node cannot read it, and ends its connection. */
export function clientErrors(deps: {
  baseUrl: string;
  newRequestId: () => string;
}): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) {
      const id = deps.newRequestId();
      const problem = problemBody(asAppError(error.code), deps.baseUrl, id);
      const body = JSON.stringify(problem);
      const headers = {
        ...securityHeaders(deps.baseUrl),
        'content-type': 'application/problem+json',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-request-id': id,
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`,
      );
    }
    socket.destroy(error);
  };
}

function asAppError(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('too-large', `The headers are larger than ${HEADER_LIMIT / 1024} KiB.`, {
      status: 431,
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('timeout', 'The request did not come whole in time.', { status: 408 });
  return badField('request', 'it cannot be read as HTTP');
}
