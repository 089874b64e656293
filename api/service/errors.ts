import { Type } from 'typebox';
import { AppError, ERRORS, type ErrorCode } from '../../agents/errors.ts';
import { errorDocPage } from '../html/error-page.ts';
import type { App } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { problems } from '../schemas.ts';

const ErrorDocument = Type.Object({
  code: Type.Enum(Object.keys(ERRORS) as ErrorCode[]),
  status: Type.Integer(),
  also: Type.Array(Type.Object({ status: Type.Integer(), when: Type.String() }), {
    description: 'statuses that the code has in cases of their own',
  }),
  title: Type.String(),
  retry: Type.Boolean({ description: 'whether the same request may succeed later' }),
  remedy: Type.String(),
});

/** Serves the page that each problem's `type` points to. */
export function errorRoutes(app: App): void {
  app.get(
    '/errors/:code',
    {
      schema: {
        operationId: 'errorDocument',
        summary: 'What an error code means and what to do about it',
        tags: ['service'],
        params: Type.Object({ code: Type.String() }),
        response: { 200: ErrorDocument, ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const code = request.params.code as ErrorCode;
      if (!Object.hasOwn(ERRORS, code))
        throw new AppError('not-found', 'There is no error code of this name.');
      const { status, title, retry, remedy, also } = ERRORS[code];
      return replyPageOrJson(
        request,
        reply,
        { code, status, also: [...also], title, retry, remedy },
        errorDocPage,
      );
    },
  );
}
